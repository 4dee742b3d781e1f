// A member saves a search and watches a listing in Chromium and is notified. Every
// page on the way works on a narrow screen and is accessible.
import assert from 'node:assert/strict'
import { join as path } from 'node:path'
import { after, before, test } from 'node:test'
import { posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { mails } from './outbox.mjs'
import { startSite } from './site.mjs'

let site, browser, seller, reader, token

before(async () => {
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
  reader = join(site, 'alert-reader')
  token = tokenOf(site, join(site, 'alert-seller'))
  seller = apiOf(site, token)
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

async function look(page, where) {
  await settle(page)
  const wrong = [...await posture(page), ...await violations(page)]
  assert.deepEqual(wrong, [], where)
}

// gone presses a button that disappears with what it deletes, without a change of address.
async function gone(button) {
  await button.click()
  await button.waitFor({ state: 'detached' })
}

async function sells(title, amount) {
  const listing = await seller('POST', '/api/listings', { gear: 'canon/eos-r6', title, price: { amount, currency: 'EUR' }, condition: 'excellent', functional: 'fully_working', region: 'DE', description: 'As good as it looks.' }, 201)
  await seller('POST', `/api/listings/${listing.id}/publish`, {})
  return listing
}

for (const screen of [{ viewport: { width: 320, height: 800 }, colorScheme: 'light' }, { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }]) {
  const width = screen.viewport.width
  test(`alerts of a saved search and a watched listing, at ${width} px`, async () => {
    const word = `zebra${width}`
    const context = await browser.newContext(screen)
    const page = await context.newPage()
    const wrong = await watch(page, site)
    await signIn(page, site, reader)
    await page.goto(`${site.url}/listings?keyword=canon+${word}&budget=900`)
    await page.getByRole('link', { name: 'Save this search' }).click()
    await page.getByLabel('Straight away').waitFor()
    await look(page, 'the form of a search')
    await page.getByLabel('Name', { exact: true }).fill(`Zebras ${width}`)
    await page.getByLabel('Straight away').check()
    await page.getByRole('button', { name: 'Save search' }).click()
    await page.waitForURL(/\/account\/searches\/[0-9a-f-]{36}$/)
    const saved = page.url()
    await look(page, 'a saved search')
    await page.goto(saved.replace('/searches/', '/advanced/webhooks/'))
    await look(page, 'its webhook')
    await page.getByLabel('Address').fill('http://192.168.1.1/hook')
    await page.getByRole('main').getByRole('button', { name: /^Save/ }).click()
    await page.getByText(/public internet/).first().waitFor()
    await look(page, 'the webhook that was refused')
    assert.equal(await page.getByLabel('Address').inputValue(), 'http://192.168.1.1/hook')

    const listing = await sells(`Canon EOS R6 ${word}`, '850.00')
    const [mail] = await mails(path(site.folder, 'outbox'), `Zebras ${width}`)
    assert.match(mail, new RegExp(`/listings/${listing.id}`))
    assert.match(mail, /^To: <alert-reader@example\.org>/m)
    await page.goto(saved)
    await look(page, 'a saved search with alerts')
    await page.getByRole('link', { name: `Canon EOS R6 ${word}` }).click()
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.waitForURL('**/account/watchlist')
    await look(page, 'the watchlist')
    const etag = (await fetch(`${site.url}/api/listings/${listing.id}`)).headers.get('etag')
    const answer = await fetch(`${site.url}/api/listings/${listing.id}`, {
      method: 'PATCH', headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'If-Match': etag },
      body: JSON.stringify({ price: { amount: '700.00', currency: 'EUR' } }),
    })
    assert.equal(answer.status, 200, await answer.text())
    assert.equal((await mails(path(site.folder, 'outbox'), `${word}, now`.replaceAll(' ', '_'))).length, 1)
    await page.reload()
    assert.match(await page.getByRole('main').textContent(), /down €150/)
    await gone(page.getByRole('button', { name: new RegExp(`Remove.*${word}`) }))
    await page.goto(`${site.url}/account/searches`)
    await look(page, 'the saved searches')
    await gone(page.getByRole('button', { name: new RegExp(`Delete.*${width}`) }))
    await page.waitForURL('**/account/searches')
    assert.doesNotMatch(await page.getByRole('main').textContent(), new RegExp(`Zebras ${width}`))

    const [, stop] = /^Unsubscribe: (\S+)/m.exec(mail)
    assert.equal((await fetch(stop, { method: 'POST', body: 'List-Unsubscribe=One-Click', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })).status, 404)
    assert.deepEqual(wrong, [])
    await context.close()
  })
}
