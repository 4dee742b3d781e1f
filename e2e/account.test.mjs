// What a member does from the account page in Chromium, and how its pages fit screens.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './browser.mjs'
import { meet } from './person.mjs'
import { startSite } from './site.mjs'

let site, browser, seller, buyer

before(async () => {
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
  seller = await meet(site, browser, 'ann-seller', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  buyer = await meet(site, browser, 'bob-buyer', { viewport: { width: 1440, height: 900 } })
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

function done() {
  for (const who of [seller, buyer]) assert.deepEqual(who.wrong, [], who.handle)
}

test('sellers write first, without JavaScript too', { timeout: 300_000 }, async () => {
  const listing = await seller.api('POST', '/api/listings', { gear: 'canon/eos-r6', title: 'Canon EOS R6 to be watched', condition: 'excellent', price: '999', region: 'DE' }, 201)
  await seller.api('POST', `/api/listings/${listing.id}/publish`)
  await buyer.api('PUT', `/api/watchlist/${listing.id}`)
  await seller.go('/account')
  await seller.follow(seller.page.locator('#selling').getByRole('link', { name: /1 person watching/ }))
  await seller.page.getByLabel('Your message').fill('It’s €50 less until Sunday.')
  await seller.press('Send message')
  assert.match(await seller.text('main'), /You can send another once someone new starts watching/)
  await buyer.go('/account')
  await buyer.follow(buyer.page.locator('#waiting').getByRole('link', { name: /new message/ }))
  await buyer.follow(buyer.page.getByRole('main').getByRole('link', { name: 'ann-seller' }))
  assert.match(await buyer.text('main'), /€50 less/)
  await buyer.page.getByLabel('Your reply').fill('Deal.')
  await buyer.press('Send')
  done()
})

test('the dashboard fits every screen', { timeout: 300_000 }, async () => {
  for (const width of [320, 390, 1440]) {
    await buyer.page.setViewportSize({ width, height: 900 })
    for (const path of ['/account', '/account/advanced', '/account/settings', '/account/export']) await buyer.go(path)
  }
  done()
})
