// Tests what a page of another origin can do in Chromium: search and value gear, show the card
// and the badge, and nothing in the name of a member who is signed in.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { startBrowser } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { startSite } from './site.mjs'

let site, browser, other, member

before(async () => {
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
  member = join(site, 'other-origin')
  other = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>A blog</title><h1>A blog</h1>
<img id="badge" src="${site.url}/gear/canon/eos-r6/badge.svg" alt="">
<iframe name="card" src="${site.url}/gear/canon/eos-r6/card"></iframe>
<iframe name="badge" src="${site.url}/gear/canon/eos-r6/badge.svg"></iframe>
<iframe name="page" src="${site.url}/gear/canon/eos-r6"></iframe>
<iframe name="account" src="${site.url}/account"></iframe>`)
  })
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve))
}, { timeout: 600_000 })

after(async () => {
  other?.close()
  await browser?.close()
  await site?.stop()
})

// origins are another site, and another origin of the same site, whose requests carry the cookie.
const origins = () => ['localhost', '127.0.0.1'].map((host) => `http://${host}:${other.address().port}/`)

test('a page of another origin searches and values gear', async () => {
  for (const origin of origins()) {
    const page = await browser.newPage()
    await page.goto(origin, { waitUntil: 'commit' })
    const { total, listing, value, tool } = await page.evaluate(async (url) => {
      const found = await (await fetch(`${url}/api/listings/search?keyword=leica&limit=1&view=compact`)).json()
      const post = async (path, body) => (await fetch(url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'Idempotency-Key': crypto.randomUUID() }, body: JSON.stringify(body) })).json()
      const value = await post('/api/valuations', { items: ['Canon EOS R6'] })
      const tool = await post('/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_price', arguments: { gear: 'canon r6' } } })
      return { total: found.total, listing: found.listings[0], value, tool }
    }, site.url)
    assert.ok(total > 0 && listing.id, `${total} ${listing}`)
    assert.match(JSON.stringify(value), /canon\/eos-r6/)
    assert.equal(tool.result.structuredContent.gear, 'canon/eos-r6')
    await page.close()
  }
})

test("it can't act with the cookie of a member, and can with their token", async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, site, member)
  const token = tokenOf(site, member)
  const api = apiOf(site, token)
  const listed = async () => (await api('GET', '/api/me/listings?limit=100')).listings?.length ?? 0
  const searches = async () => (await api('GET', '/api/searches')).searches.length
  for (const origin of origins()) {
    await page.goto(origin, { waitUntil: 'commit' })
    const answers = await page.evaluate(async (url) => {
      const ask = async (path, options) => {
        try {
          const answer = await fetch(url + path, { method: 'POST', credentials: 'include', ...options })
          return answer.type === 'opaque' ? 'sent' : `${answer.status}`
        } catch (err) {
          return err.name
        }
      }
      const listing = JSON.stringify({ gear: 'canon/eos-r6', price: '900 EUR', condition: 'good', region: 'DE' })
      const search = JSON.stringify({ keyword: 'leica', every: 'daily' })
      const all = []
      for (const mode of ['cors', 'no-cors']) {
        for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
          all.push(await ask('/api/listings', { mode, headers: { 'Content-Type': type }, body: type.includes('form') ? 'gear=canon%2Feos-r6&price=900&condition=good&region=DE' : listing }))
          all.push(await ask('/api/searches', { mode, headers: { 'Content-Type': type }, body: type.includes('form') ? 'keyword=leica&every=daily' : search }))
          all.push(await ask('/account/searches', { mode, headers: { 'Content-Type': type }, body: 'keyword=leica&every=daily' }))
        }
      }
      const me = await fetch(`${url}/api/me`, { credentials: 'include' }).then((answer) => answer.text(), (err) => err.name)
      return { all, me }
    }, site.url)
    assert.ok(answers.all.every((answer) => ['TypeError', 'sent', '400', '401', '403', '415'].includes(answer)), JSON.stringify(answers))
    assert.doesNotMatch(answers.me, /other-origin/)
    assert.deepEqual([await listed(), await searches()], [0, 0], origin)
  }
  const own = await page.evaluate(async ([url, token]) => (await fetch(`${url}/api/me`, { headers: { Authorization: `Bearer ${token}` } })).json(), [site.url, token])
  assert.equal(own.handle, 'other-origin')
  await context.close()
})

test('it shows the card and the badge in frames, and no page', async () => {
  for (const origin of origins()) {
    const page = await browser.newPage()
    await page.goto(origin)
    assert.ok(await page.locator('#badge').evaluate((image) => image.decode().then(() => image.naturalWidth > 0)))
    const text = (name) => page.frame({ name }).locator(':root').textContent().catch(() => '')
    assert.match(await text('card'), /Canon EOS R6[\s\S]*for sale/)
    assert.match(await text('badge'), /Canon EOS R6/)
    for (const name of ['page', 'account']) assert.match(page.frame({ name }).url(), /^chrome-error:/, name)
    await page.close()
  }
})
