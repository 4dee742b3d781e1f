// Two members trade a camera in two browsers, from signing up to the rating, and the
// sale appears in the trend.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { forgive, posture, settle, startBrowser, watch } from './browser.mjs'
import { mailedLink } from './outbox.mjs'
import { startSite, top } from './site.mjs'

const gear = 'canon/eos-r6'
const photographs = ['forms-of-life', 'far-from-home'].map((project) => {
  const folder = join(top, 'content/portfolio', project)
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.jpg')))
})

let site, browser

before(async () => {
  site = await startSite()
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

for (const javaScriptEnabled of [true, false]) {
  test(`two strangers trade a camera, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, { timeout: 600_000 }, async () => {
    const suffix = javaScriptEnabled ? 'one' : 'two'
    const seller = await person(`ann-${suffix}`, { javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    const buyer = await person(`bob-${suffix}`, { javaScriptEnabled, viewport: { width: 390, height: 844 } })
    const before = await trend()

    await signUp(seller)
    const listing = await sell(seller, `Canon EOS R6 ${seller.handle === 'ann-one' ? 'boxed' : 'with box'}`)
    await signUp(buyer)

    // Bob finds it, and offers less.
    await buyer.go(`/listings/${listing}`)
    assert.equal(await buyer.page.locator('.gallery .slides img').count(), photographs.length)
    await buyer.page.locator('.actions').getByText('Make an offer').click()
    await buyer.page.getByLabel(/your offer/i).fill('900')
    await buyer.page.getByLabel('Message (optional)').fill('Would you take nine hundred?')
    await buyer.page.locator('#offer').getByRole('radio', { name: /^Collection/ }).check()
    await buyer.press('Send offer')
    const offer = new URL(buyer.page.url()).pathname
    assert.match(offer, /^\/account\/offers\//)

    // Ann counters, Bob accepts.
    await seller.go('/account/offers')
    await seller.follow(seller.page.locator(`a[href="${offer}"]`))
    await seller.page.getByText('Make a counter-offer').click()
    await seller.page.getByLabel(/your counter-offer/i).fill('950,50')
    await seller.press('Send counter-offer')
    await buyer.go(offer)
    await buyer.press(/^Accept .*950\.50/)
    assert.equal((await facts(`/listings/${listing}`)).status, 'reserved')

    // They agree where to meet.
    await buyer.go(`/listings/${listing}`)
    await buyer.page.getByRole('link', { name: 'Message the seller' }).click()
    await buyer.page.getByLabel('Your message').fill('Saturday at noon, at the station?')
    await buyer.press('Send message')
    await seller.go('/account')
    await seller.follow(seller.page.getByRole('link', { name: /1 new message/ }))
    await seller.follow(seller.page.getByRole('main').getByRole('link', { name: buyer.handle }))
    assert.match(await seller.page.getByRole('main').textContent(), /Saturday at noon/)
    await seller.page.getByLabel(/message|answer|reply/i).fill('Saturday it is.')
    await seller.press(/send/i)

    // The camera changes hands, and both say how it was.
    await seller.go(offer)
    await seller.press(/^Mark as sold/)
    await buyer.go(offer)
    await buyer.press("Everything's fine")
    for (const [who, words] of [[buyer, 'As described, well packed.'], [seller, 'Paid at once, friendly.']]) {
      await who.go(offer)
      await who.page.getByRole('radio', { name: /Very good/ }).check()
      await who.page.getByLabel('Your review').fill(words)
      await who.press('Post review')
    }

    // Everybody can see what came of it.
    const after = await trend()
    assert.equal(sales(after), sales(before) + 1, 'the sale is in the trend')
    const sold = await facts(`/listings/${listing}`)
    assert.equal(sold.status, 'sold')
    assert.deepEqual(sold.sold_price, { amount: '950.50', currency: 'EUR' })
    const markdown = await (await fetch(`${site.url}/listings/${listing}.md`)).text()
    assert.match(markdown, /Sold on .* 950\.50|€950\.50/)
    const stranger = await person('', { javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    await stranger.go(`/listings/${listing}`)
    assert.match(await stranger.page.getByRole('main').textContent(), /Sold for €950\.50/)
    await stranger.go(`/sellers/${seller.handle}`)
    assert.match(await stranger.page.getByRole('main').textContent(), /As described, well packed\./)
    for (const who of [seller, buyer, stranger]) {
      assert.deepEqual(who.wrong, [])
      await who.page.context().close()
    }
  })
}

// person is a member with a browser.
async function person(handle, screen) {
  const page = await (await browser.newContext(screen)).newPage()
  const wrong = await watch(page, site)
  const stand = async () => {
    await page.waitForLoadState('load')
    await settle(page)
    wrong.push(...(await posture(page)).map((what) => `${page.url()}: ${what}`))
  }
  // left resolves when the page has changed since it was marked.
  const mark = () => page.evaluate(() => (globalThis.marked = true))
  const left = () => page.waitForFunction(() => !globalThis.marked)
  return {
    handle, page, wrong, stand, scripted: screen.javaScriptEnabled,
    async go(address) {
      const answer = await page.goto(site.url + address)
      assert.equal(answer.status(), 200, `${address} for ${handle || 'a stranger'}`)
      await stand()
    },
    // follow clicks the first match, which leads to another page.
    async follow(links) {
      await mark()
      await links.first().click()
      await left()
      await stand()
    },
    // press submits a form, which redirects to a page.
    async press(name) {
      await mark()
      const [answer] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'POST'),
        page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' }).click(),
      ])
      if (answer.request().isNavigationRequest()) await left()
      await page.waitForLoadState('load')
      assert.equal(answer.status(), 303, `${name} for ${handle}: ${answer.status() === 303 ? '' : await page.getByRole('main').textContent()}`)
      await stand()
    },
  }
}

async function signUp(who) {
  const email = `${who.handle}@example.org`
  const password = 'four words in a row'
  await who.go('/sign-up')
  await who.page.getByLabel('Username').fill(who.handle)
  await who.page.getByLabel('Location').selectOption('DE')
  await who.page.getByLabel('Email address').fill(email)
  await who.page.getByLabel('Password').fill(password)
  await who.press('Create an account')
  await who.go(await mailedLink(join(site.folder, 'outbox'), email, '/sign-up/confirm'))
  await who.press('Confirm and sign in')
}

// sell creates and publishes a listing, and resolves to its id.
async function sell(who, title) {
  await who.go('/sell')
  await who.page.locator('input[type=file]').setInputFiles(photographs)
  if (who.scripted) await who.page.locator('.prints li').nth(photographs.length - 1).waitFor()
  await who.page.getByLabel('What are you selling?').fill(title)
  await who.page.getByRole('radio', { name: /^Excellent/ }).check()
  await who.page.getByRole('radio', { name: /^Fully working/ }).check()
  await who.page.getByRole('textbox', { name: 'Description (optional)' }).fill('Bought new, used on weekends.')
  await who.page.getByLabel('Location').selectOption('DE')
  await who.page.getByLabel('Price', { exact: true }).fill('999')
  await who.page.getByLabel('Serial number').fill(`SN-${who.handle}`)
  await who.page.locator('[data-saved]', { hasText: who.scripted ? 'Draft saved' : 'as you go' }).waitFor()
  if (who.scripted) await forgive(who.page)
  await who.stand()
  await who.press('Save draft')
  const id = new URL(who.page.url()).pathname.split('/').pop()
  assert.equal(await who.page.locator('.prints li').count(), photographs.length)
  await who.press('Publish')
  const page = await (await fetch(`${site.url}/listings/${id}`)).text()
  assert.ok(!page.includes(`SN-${who.handle}`), 'the serial number is nobody else\'s business')
  return id
}

const facts = async (address) => (await fetch(`${site.url}${address}`, { headers: { Accept: 'application/json' } })).json()
const trend = () => facts(`/api/trends/${gear}`)

// sales counts the sales of members, counted or not: those of new members count once
// there are enough others.
const sales = ({ counting }) => [...counting.sources.filter(({ source }) => source === 'members'), ...counting.uncounted]
  .reduce((all, { sales }) => all + sales, 0)
