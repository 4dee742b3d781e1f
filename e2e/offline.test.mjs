// What the service worker stores, without a browser: whatever it answers, only what is public.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'

const source = await readFile(new URL('../static/offline.js', import.meta.url), 'utf8')

// answered returns the addresses that are stored once the worker has answered a request, for
// which the server sends a Cache-Control.
async function answered(request, caching, type) {
  const stored = []
  const waiting = []
  const handlers = {}
  const store = {
    match: async () => undefined, delete: async () => true, keys: async () => [], addAll: async () => {},
    put: async (address) => { stored.push(address.url ?? address) },
  }
  const headers = new Headers({ 'Content-Type': type, ...(caching && { 'Cache-Control': caching }) })
  runInNewContext(`const release = { version: 'x', files: [] }\n${source}`, {
    URL, Request, Response, Date, Promise, location: { origin: 'https://shop.example' }, registration: {}, skipWaiting() {},
    addEventListener: (name, handler) => { handlers[name] = handler },
    caches: { open: async () => store, delete: async () => true, keys: async () => [] },
    fetch: async () => new Response('x', { headers }),
  })
  let response
  handlers.fetch({ request, respondWith: (answer) => { response = answer }, waitUntil: (work) => waiting.push(work) })
  await response
  await Promise.all(waiting)
  return stored
}

const requests = {
  page: [{ url: 'https://shop.example/listings/1', mode: 'navigate' }, 'text/html; charset=utf-8'],
  'page by script': [{ url: 'https://shop.example/listings?brand=leica', headers: new Headers({ Accept: 'text/html' }) }, 'text/html; charset=utf-8'],
  photo: [{ url: 'https://shop.example/photos/a-320.jpg', referrer: 'https://shop.example/listings/1' }, 'image/jpeg'],
}

for (const [name, [request, type]] of Object.entries(requests)) {
  test(`a ${name} is stored only if it is public`, async () => {
    const asked = { method: 'GET', mode: 'no-cors', headers: new Headers(), ...request }
    for (const caching of ['private, no-cache', 'private', 'no-store', 'private, no-store', 'no-cache', 'max-age=60', '']) {
      assert.deepEqual(await answered(asked, caching, type), [], caching)
    }
    for (const caching of ['public, no-cache', 'public, max-age=31536000, immutable']) {
      assert.deepEqual(await answered(asked, caching, type), [request.url], caching)
    }
  })
}
