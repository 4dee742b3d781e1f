// Two members trade from the accepted offer to the confirmed sale in two browsers: once
// by shipping and once by pick-up.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { posture, settle, startBrowser, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { startSite, top } from './site.mjs'

const address = 'Bob Buyer\nHauptstraße 1\n10115 Berlin'

let site, browser, seller, buyer

before(async () => {
  site = await startSite()
  browser = await startBrowser()
  seller = await person('ann-seller', { viewport: { width: 1280, height: 900 } })
  buyer = await person('bob-buyer', { viewport: { width: 390, height: 844 } })
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('an item is sent', { timeout: 300_000 }, async () => {
  const offer = await accepted('Canon EOS R6 to be sent')
  await buyer.go('/account')
  assert.match(await buyer.text('#waiting'), /Agree on pick-up or shipping/)
  assert.notEqual(await buyer.page.locator('.show-menu').evaluate((menu) => getComputedStyle(menu, '::after').content), 'none', 'the menu is marked')
  await buyer.page.locator('.show-menu').click()
  assert.match(await buyer.text('header.top'), /\d waiting/)
  await buyer.page.locator('.close-menu').click()

  // Bob wants it sent, and Ann agrees. Only then does she see the address.
  await buyer.follow(buyer.page.locator(`#waiting a[href="${offer}"]`).first())
  await buyer.page.getByText('Propose shipping', { exact: true }).first().click()
  await buyer.page.getByLabel('Your address').fill(address)
  await buyer.press('Propose shipping')
  await seller.go(offer)
  assert.doesNotMatch(await seller.text('main'), /Hauptstraße/)
  await seller.page.getByText('Say how you want to be paid', { exact: true }).click()
  await seller.page.getByLabel('Payment', { exact: true }).fill('Bank transfer, please.')
  await seller.page.getByLabel(/payment page/).fill('https://pay.example.com/ann')
  await seller.press('Save')
  await seller.press('Agree')
  assert.match(await seller.text('address.postal'), /Hauptstraße 1/)
  await buyer.go(offer)
  assert.match(await buyer.text('#handover'), /Bank transfer, please\./)
  assert.equal(await buyer.page.getByRole('link', { name: /pay\.example\.com/ }).getAttribute('rel'), 'nofollow noopener noreferrer external')
  assert.match(await buyer.text('#handover'), /handle payments/)

  // Ann sends it, first with a wrong link.
  await seller.page.getByLabel(/Tracking link/).evaluate((input) => (input.type = 'text'))
  await seller.page.getByLabel(/Tracking link/).fill('javascript:alert(1)')
  await seller.press('Mark as sent', 400)
  assert.match(await seller.text('.refused'), /https/)
  await seller.page.getByLabel(/Carrier/).fill('DHL')
  await seller.page.getByLabel(/Tracking number/).fill('00340434')
  await seller.page.getByLabel(/Tracking link/).fill('https://track.example.com/00340434')
  await seller.press('Mark as sent')
  await buyer.go('/account')
  assert.match(await buyer.text('#waiting'), /Confirm that it arrived/)
  await buyer.go(offer)
  assert.match(await buyer.text('#handover'), /00340434/)
  await buyer.press('It has arrived')
  await buyer.press('Confirm that it arrived as agreed')
  assert.equal(await buyer.page.locator('.stages .passed').count(), 5)
  done()
})

test('an item is picked up, and a problem is reported', { timeout: 300_000 }, async () => {
  const offer = await accepted('Canon EOS R6 to be picked up')
  const day = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  await seller.go(offer)
  await seller.page.getByLabel('Where').fill('Main station, below the clock')
  await seller.page.getByLabel('When').fill(`${day}T17:30`)
  await seller.press('Propose the pick-up')
  await buyer.go(offer)
  assert.match(await buyer.text('#handover'), /below the clock.*17:30/s)
  await buyer.press('Agree')
  await seller.go(offer)
  await seller.press(/^Complete the sale/)
  await buyer.go(offer)
  await buyer.page.getByLabel(/What isn't as agreed/).fill('The shutter sticks.')
  await buyer.press('Report a problem')
  await seller.go(offer)
  await seller.page.getByLabel(/operator should know/).fill('It worked at the station.')
  await seller.press('Add it')
  assert.match(await seller.text('main'), /It worked at the station\./)

  // Bob shows it with a photo, and Ann opens it.
  await buyer.go(offer)
  await buyer.page.getByLabel(/operator should know/).fill('It sticks at 1/1000.')
  await buyer.page.getByLabel(/Photos/).setInputFiles(`${top}/content/portfolio/ridges/haze.jpg`)
  await buyer.press('Add it')
  await seller.go(offer)
  const picture = seller.page.locator('.thumbnails img')
  await picture.scrollIntoViewIfNeeded()
  await seller.page.waitForFunction(() => document.querySelector('.thumbnails img').naturalWidth > 0)
  assert.equal(await picture.getAttribute('alt'), 'Buyer’s photo 1 of the problem')
  assert.equal((await fetch(await picture.evaluate((img) => img.currentSrc))).status, 404, 'for nobody else')
  done()
})

test('sellers write first, without JavaScript too', { timeout: 300_000 }, async () => {
  const listing = await seller.api('POST', '/api/listings', { gear: 'canon/eos-r6', title: 'Canon EOS R6 to be watched', condition: 'excellent', price: '999', region: 'DE' }, 201)
  await seller.api('POST', `/api/listings/${listing.id}/publish`)
  await buyer.go('/account')
  await buyer.api('PUT', `/api/watchlist/${listing.id}`)
  const plain = await person('ann-seller', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }, seller.member)
  await plain.page.goto(`${site.url}/account`)
  assert.match(await plain.text('#selling'), /1 person watches this/)
  await plain.page.locator('#selling').getByRole('link', { name: /1 person watches this/ }).click()
  await plain.page.getByLabel('Your message').fill('It’s €50 less until Sunday.')
  await plain.page.getByRole('button', { name: 'Send message' }).click()
  assert.match(await plain.text('main'), /You can write again once somebody new watches it/)
  await buyer.go('/account')
  await buyer.follow(buyer.page.locator('#waiting').getByRole('link', { name: /new message/ }))
  await buyer.follow(buyer.page.getByRole('main').getByRole('link', { name: 'ann-seller' }).first())
  assert.match(await buyer.text('main'), /€50 less/)
  await buyer.page.getByLabel('Your answer').fill('Deal.')
  await buyer.press('Send')
  done()
})

test('the dashboard fits every screen', { timeout: 300_000 }, async () => {
  for (const width of [320, 390, 1440]) {
    await seller.page.setViewportSize({ width, height: 900 })
    for (const path of ['/account', '/account/advanced', '/account/settings', '/account/export']) await seller.go(path)
  }
  done()
})

// done checks that nothing went wrong on the pages.
function done() {
  for (const who of [seller, buyer]) assert.deepEqual(who.wrong, [])
}

// accepted resolves to the path of an accepted offer of the buyer.
async function accepted(title) {
  const listing = await seller.api('POST', '/api/listings', { gear: 'canon/eos-r6', title, condition: 'excellent', price: '999', region: 'DE', postage: 'DE 6.90, EU 14.90' }, 201)
  await seller.api('POST', `/api/listings/${listing.id}/publish`)
  await buyer.go(`/listings/${listing.id}`)
  assert.match(await buyer.text('main'), /€6\.90, €1,005\.90 in total/)
  const offer = await buyer.api('POST', `/api/listings/${listing.id}/offers`, { amount: '950' }, 201)
  await seller.api('POST', `/api/offers/${offer.id}/accept`)
  return `/account/offers/${offer.id}`
}

// person is a member with a browser and a token.
async function person(handle, screen, known) {
  const member = known ?? join(site, handle)
  const page = await (await browser.newContext(screen)).newPage()
  const wrong = await watch(page, site)
  await signIn(page, site, member)
  const stand = async () => {
    await page.waitForLoadState('load')
    await settle(page)
    wrong.push(...(await posture(page)).map((what) => `${page.url()}: ${what}`))
  }
  const mark = () => page.evaluate(() => (globalThis.marked = true))
  const left = () => page.waitForFunction(() => !globalThis.marked)
  return {
    page, wrong, member, api: apiOf(site, tokenOf(site, member)),
    text: (selector) => page.locator(selector).first().innerText(),
    async go(path) {
      const answer = await page.goto(site.url + path)
      assert.equal(answer.status(), 200, path)
      await stand()
    },
    async follow(link) {
      await mark()
      await link.click()
      await left()
      await stand()
    },
    async press(name, status = 303) {
      await mark()
      const [answer] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'POST'),
        page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' }).click(),
      ])
      assert.equal(answer.status(), status, `${name} for ${handle}: ${answer.status() === status ? '' : await page.getByRole('main').textContent()}`)
      if (answer.request().isNavigationRequest()) await left()
      await stand()
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${handle}-${String(name).replace(/\W+/g, '-')}.png`, fullPage: true })
    },
  }
}
