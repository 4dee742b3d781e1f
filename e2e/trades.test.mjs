// Two people trade a camera from the search to the ratings: sent, collected, bought at once, arranged
// step by step, and with a problem that an operator decides, on a phone and a desktop, with and without
// JavaScript. A trade takes four actions of both together before the ratings, and two if it is bought.
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
const ends = { sent: sendIt, collected: meetUp, purchase: buy, arranged: arrange, dispute }
const actions = { sent: 4, collected: 4, purchase: 2 }
const home = 'Bob Buyer\nHauptstraße 1\n10115 Berlin'

// Each row is how the trade ends, the screens of buyer and seller, and whether they have
// JavaScript. These few have every value of each column at least once.
const essential = [
  ['sent', 'phone', true, 'desktop', false],
  ['collected', 'desktop', false, 'phone', true],
  ['dispute', 'phone', false, 'desktop', true],
  ['purchase', 'phone', true, 'desktop', false],
  ['arranged', 'desktop', false, 'phone', true],
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
    const title = `Canon EOS R6 in ${colours[row]}`
    await list(seller, buyer, title)
    const offer = await ends[end](seller, buyer)
    if (actions[end]) assert.equal(seller.presses() + buyer.presses(), actions[end], 'actions before the ratings')
    await rate(seller, buyer, offer)
    if (end === 'purchase') {
      await buyer.go(offer)
      await buyer.press("Everything's fine")
    }
    await buyer.go(offer)
    assert.equal(await buyer.page.locator('.trade-stages .passed').count(), 5)
    await readRatings(seller, buyer)
    for (const who of [seller, buyer, operator]) assert.deepEqual(who.wrong, [], who.handle)
    for (const who of [seller, buyer]) await who.page.context().close()
  })
})

// colours are words that no other listing has, to search for.
const colours = Array.from({ length: all.length }, (_, i) => `vermilion${String.fromCharCode(97 + i / 26, 97 + i % 26)}`)

// list puts a camera on sale that the buyer finds by searching.
async function list(seller, buyer, title) {
  const item = { gear: 'canon/eos-r6', title, condition: 'excellent', functional: 'fully_working', price: '999', region: 'DE', postage: 'DE 6.90, EU 14.90', buy_now: 'instant' }
  const { id } = await seller.api('POST', '/api/listings', item, 201)
  await seller.api('POST', `/api/listings/${id}/publish`)

  await buyer.go('/')
  await buyer.search(`canon ${title.split(' ').at(-1)}`)
  await buyer.follow(buyer.page.getByRole('main').getByRole('link', { name: title }))
  assert.equal(await buyer.text('h1'), title)
  assert.match(await buyer.text('main'), /€6\.90 \(€1,005\.90 in total\)/)
}

// agreeOnPrice makes an offer that the seller accepts, with what the buyer fills in about the
// delivery. It resolves to the path of the offer.
async function agreeOnPrice(seller, buyer, delivery) {
  const action = buyer.page.locator('.actions').getByText('Make an offer')
  const box = await action.boundingBox()
  assert.ok(box.y >= 0 && box.y + box.height <= buyer.page.viewportSize().height, 'Make an offer is in sight')
  await action.click()
  const form = buyer.page.locator('#offer')
  await form.getByLabel(/your offer/i).fill('€950')
  await delivery(form)
  await buyer.press('Send offer')
  const offer = new URL(buyer.page.url()).pathname

  await seller.go('/account')
  await seller.follow(seller.page.locator(`#waiting a[href="${offer}"]`))
  assert.doesNotMatch(await seller.text('main'), /Hauptstraße/)
  await seller.press(/^Accept .*950/)
  return offer
}

// collected chooses to collect the camera, undecided to arrange it later.
const collected = (form) => form.getByRole('radio', { name: /^Collection/ }).check()
const undecided = (form) => form.getByRole('radio', { name: /^Decide later/ }).check()

// sendIt ships the camera to the buyer's address, which the seller reads once they accept.
async function sendIt(seller, buyer) {
  const offer = await agreeOnPrice(seller, buyer, (form) => form.getByLabel('Delivery address').fill(home))
  await markAsSent(seller, buyer, offer)
  await buyer.press("Everything's fine")
  return offer
}

// buy buys the camera at its price. The seller sends it, and both can rate.
async function buy(seller, buyer) {
  await buyer.page.locator('.actions').getByText('Buy for €999').click()
  const form = buyer.page.locator('#buy')
  await form.getByLabel('Delivery address').fill(home)
  await buyer.press('Buy for €999')
  const offer = new URL(buyer.page.url()).pathname
  await seller.go(offer)
  await markAsSent(seller, buyer, offer)
  return offer
}

// markAsSent marks the camera as sent, first with a wrong link, which no browser would send.
async function markAsSent(seller, buyer, offer) {
  assert.match(await seller.text('address.postal'), /Hauptstraße 1/)
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
  await waits(buyer)
  await buyer.follow(buyer.page.locator(`#waiting a[href="${offer}"]`))
  assert.match(await buyer.text('#handover'), /00340434/)
}

// arrange agrees on the price first, then on shipping and on payment.
async function arrange(seller, buyer) {
  const offer = await agreeOnPrice(seller, buyer, undecided)
  await buyer.go('/account')
  await waits(buyer)
  await buyer.follow(buyer.page.locator(`#waiting a[href="${offer}"]`))
  await buyer.page.getByLabel('Your address').fill(home)
  await buyer.press('Suggest postage')
  await seller.go(offer)
  assert.doesNotMatch(await seller.text('main'), /Hauptstraße/)
  await seller.page.getByText('Add payment details', { exact: true }).click()
  await seller.page.getByLabel('Payment', { exact: true }).fill('Bank transfer, please.')
  await seller.page.getByLabel(/payment page/).fill('https://pay.example.com/ann')
  await seller.press('Save')
  await seller.press('Agree')
  await buyer.go(offer)
  assert.match(await buyer.text('#next'), /Bank transfer, please\..*doesn.t handle payments/s)
  assert.equal(await buyer.page.getByRole('link', { name: /pay\.example\.com/ }).getAttribute('rel'), 'nofollow noopener noreferrer external')
  await seller.go(offer)
  await markAsSent(seller, buyer, offer)
  await buyer.press("Everything's fine")
  return offer
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

// handOver hands the camera over to a buyer who collects it.
async function handOver(seller, buyer) {
  const offer = await agreeOnPrice(seller, buyer, collected)
  await seller.press(/^Mark as sold/)
  await buyer.go(offer)
  return offer
}

// meetUp hands the camera over, and the buyer is content.
async function meetUp(seller, buyer) {
  const offer = await handOver(seller, buyer)
  await buyer.press("Everything's fine")
  return offer
}

// dispute hands the camera over, and the buyer reports a problem. The operator reads both
// sides and upholds the sale.
async function dispute(seller, buyer) {
  const offer = await handOver(seller, buyer)
  await buyer.page.getByText("There's a problem").click()
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
  return offer
}

// rate rates each other.
async function rate(seller, buyer, offer) {
  for (const [who, words] of [[buyer, 'As described, well packed.'], [seller, 'Paid at once, friendly.']]) {
    await who.go(offer)
    const folded = who.page.locator('#rate > summary')
    if (await folded.isVisible()) await folded.click()
    await who.page.getByRole('radio', { name: /Very good/ }).check()
    await who.page.getByLabel('Your review').fill(words)
    await who.press('Post review')
  }
}

// readRatings reads the ratings on the pages of both, as everybody can.
async function readRatings(seller, buyer) {
  await buyer.go(`/sellers/${seller.handle}`)
  assert.match(await buyer.text('main'), /As described, well packed\./)
  await seller.go(`/sellers/${buyer.handle}`)
  assert.match(await seller.text('main'), /Paid at once, friendly\./)
}
