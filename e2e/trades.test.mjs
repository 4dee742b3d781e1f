// Two people trade a camera from the search to the ratings: sent, picked up, and with a
// problem that an operator decides, on a phone and a desktop, with and without JavaScript.
// TRADES=all runs every combination, as `make trades` does.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './browser.mjs'
import { meet } from './person.mjs'
import { startSite } from './site.mjs'

const screens = {
  phone: { viewport: { width: 390, height: 844 } },
  desktop: { viewport: { width: 1440, height: 900 } },
}
const ends = { shipping: sendIt, 'pick-up': meetUp, dispute }

// Each row is how the trade ends, the screens of buyer and seller, and whether they have
// JavaScript. These few have every value of each column at least once.
const essential = [
  ['shipping', 'phone', true, 'desktop', false],
  ['pick-up', 'desktop', false, 'phone', true],
  ['dispute', 'phone', false, 'desktop', true],
]
const all = Object.keys(ends).flatMap((end) => [['phone', 'desktop'], ['desktop', 'phone']].flatMap(([buys, sells]) =>
  [true, false].flatMap((buyerScripts) => [true, false].map((sellerScripts) => [end, buys, buyerScripts, sells, sellerScripts]))))
const rows = process.env.TRADES === 'all' ? all : essential

let site, browser, operator

before(async () => {
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
  operator = await meet(site, browser, 'olga-decides', { operator: true, ...screens.desktop })
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

rows.forEach(([end, buys, buyerScripts, sells, sellerScripts], row) => {
  const how = (screen, scripts) => `${screen}, ${scripts ? 'with' : 'without'} JavaScript`
  test(`${end}: buyer on a ${how(buys, buyerScripts)}, seller on a ${how(sells, sellerScripts)}`, { timeout: 300_000 }, async () => {
    const seller = await meet(site, browser, `ann-${row}`, { ...screens[sells], javaScriptEnabled: sellerScripts })
    const buyer = await meet(site, browser, `bob-${row}`, { ...screens[buys], javaScriptEnabled: buyerScripts })
    const offer = await agreeOnPrice(seller, buyer, `Canon EOS R6 in ${colours[row]}`)
    await ends[end](seller, buyer, offer)
    assert.equal(await buyer.page.locator('.stages .passed').count(), 5)
    await rate(seller, buyer, offer)
    for (const who of [seller, buyer, operator]) assert.deepEqual(who.wrong, [], who.handle)
    for (const who of [seller, buyer]) await who.page.context().close()
  })
})

// colours are words that no other listing has, to search for.
const colours = Array.from({ length: all.length }, (_, i) => `vermilion${String.fromCharCode(97 + i)}`)

// agreeOnPrice sells a camera that the buyer finds by searching, to an offer that the
// seller accepts. It resolves to the path of the offer.
async function agreeOnPrice(seller, buyer, title) {
  const item = { gear: 'canon/eos-r6', title, condition: 'excellent', functional: 'fully_working', price: '999', region: 'DE', postage: 'DE 6.90, EU 14.90' }
  const { id } = await seller.api('POST', '/api/listings', item, 201)
  await seller.api('POST', `/api/listings/${id}/publish`)

  await buyer.go('/')
  await buyer.search(`canon ${title.split(' ').at(-1)}`)
  await buyer.follow(buyer.page.getByRole('main').getByRole('link', { name: title }))
  assert.equal(await buyer.text('h1'), title)
  assert.match(await buyer.text('main'), /€6\.90 \(€1,005\.90 in total\)/)
  const action = buyer.page.locator('.actions').getByText('Make an offer')
  const box = await action.boundingBox()
  assert.ok(box.y >= 0 && box.y + box.height <= buyer.page.viewportSize().height, 'Make an offer is in sight')
  await action.click()
  await buyer.page.getByLabel(/your offer/i).fill('€950')
  await buyer.press('Send offer')
  const offer = new URL(buyer.page.url()).pathname

  await seller.go('/account')
  await seller.follow(seller.page.locator(`#waiting a[href="${offer}"]`))
  await seller.press(/^Accept .*950/)
  return offer
}

// sendIt ships the camera to the buyer's address, which the seller reads once they agree.
async function sendIt(seller, buyer, offer) {
  await buyer.go('/account')
  await waits(buyer)
  await buyer.follow(buyer.page.locator(`#waiting a[href="${offer}"]`))
  await buyer.page.getByText('Suggest postage', { exact: true }).first().click()
  await buyer.page.getByLabel('Your address').fill('Bob Buyer\nHauptstraße 1\n10115 Berlin')
  await buyer.press('Suggest postage')
  await seller.go(offer)
  assert.doesNotMatch(await seller.text('main'), /Hauptstraße/)
  await seller.page.getByText('Add payment details', { exact: true }).click()
  await seller.page.getByLabel('Payment', { exact: true }).fill('Bank transfer, please.')
  await seller.page.getByLabel(/payment page/).fill('https://pay.example.com/ann')
  await seller.press('Save')
  await seller.press('Agree')
  assert.match(await seller.text('address.postal'), /Hauptstraße 1/)
  await buyer.go(offer)
  assert.match(await buyer.text('#handover'), /Bank transfer, please\..*doesn't handle payments/s)
  assert.equal(await buyer.page.getByRole('link', { name: /pay\.example\.com/ }).getAttribute('rel'), 'nofollow noopener noreferrer external')

  // First with a wrong link, which no browser would send.
  const link = seller.page.getByLabel(/Tracking link/)
  await link.evaluate((input) => (input.type = 'text'))
  await link.fill('javascript:alert(1)')
  await seller.press('Mark as sent', 400)
  assert.match(await seller.text('.refused'), /https/)
  await link.fill('https://track.example.com/00340434')
  await seller.page.getByLabel(/Courier/).fill('DHL')
  await seller.page.getByLabel(/Tracking number/).fill('00340434')
  await seller.press('Mark as sent')
  await buyer.go('/account')
  assert.match(await buyer.text('#waiting'), /Is everything as described/)
  await buyer.follow(buyer.page.locator(`#waiting a[href="${offer}"]`))
  assert.match(await buyer.text('#handover'), /00340434/)
  await buyer.press('It\'s arrived')
  await buyer.press('Everything\'s as described')
}

// waits checks that the header says that something waits, on a phone in its menu.
async function waits(who) {
  const menu = who.page.locator('.show-menu')
  if (await menu.isVisible()) {
    assert.notEqual(await menu.evaluate((button) => getComputedStyle(button, '::after').content), 'none', 'the menu is marked')
    await menu.click()
  }
  assert.match(await who.text('header.top'), /\d to do/)
  if (await menu.isVisible()) await who.page.locator('.close-menu').click()
}

// handOver agrees on a place and a time, and completes the sale.
async function handOver(seller, buyer, offer) {
  const day = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  await seller.go(offer)
  await seller.page.getByLabel('Where').fill('Main station, below the clock')
  await seller.page.getByLabel('When').fill(`${day}T17:30`)
  await seller.press('Suggest collection')
  await buyer.go(offer)
  assert.match(await buyer.text('#handover'), /below the clock.*17:30/s)
  await buyer.press('Agree')
  await seller.go(offer)
  await seller.press(/^Mark as sold for/)
  await buyer.go(offer)
}

// meetUp hands the camera over, and the buyer is content.
async function meetUp(seller, buyer, offer) {
  await handOver(seller, buyer, offer)
  await buyer.press('Everything\'s as described')
}

// dispute hands the camera over, and the buyer reports a problem. The operator reads both
// sides and upholds the sale.
async function dispute(seller, buyer, offer) {
  await handOver(seller, buyer, offer)
  await buyer.page.getByLabel(/What's wrong/).fill('The shutter sticks.')
  await buyer.press('Report a problem')
  await seller.go(offer)
  await seller.page.getByLabel(/Add details/).fill('It worked at the station.')
  await seller.press('Add it')
  await operator.go('/account/moderation/sales')
  const sale = operator.page.getByRole('listitem').filter({ hasText: 'The shutter sticks.' })
  assert.match(await sale.innerText(), /It worked at the station\./)
  await sale.getByLabel('Reason, for the audit log').fill('Sold as described.')
  await operator.press('Confirm sale')
  await buyer.go(offer)
  assert.match(await buyer.text('main'), /Sale confirmed/)
}

// rate rates each other, which everybody reads on the pages of both.
async function rate(seller, buyer, offer) {
  for (const [who, words] of [[buyer, 'As described, well packed.'], [seller, 'Paid at once, friendly.']]) {
    await who.go(offer)
    await who.page.getByRole('radio', { name: /Very good/ }).check()
    await who.page.getByLabel('Your review').fill(words)
    await who.press('Post review')
  }
  await buyer.go(`/sellers/${seller.handle}`)
  assert.match(await buyer.text('main'), /As described, well packed\./)
  await seller.go(`/sellers/${buyer.handle}`)
  assert.match(await seller.text('main'), /Paid at once, friendly\./)
}
