// The service worker. Public pages that were visited open again without a connection, as
// they were; any other address then shows what was viewed on this device. Nothing personal
// is stored: pages of members, and photos that only they see, are private. The server puts
// a line before this file, const release = { version, files }: the offline page and what
// pages are made of.

const maxPages = 40
const maxPhotos = 60
const maxBytes = 200_000 // of each, so that all are 20 MB at most

const stores = { files: `files ${release.version}`, pages: `pages ${release.version}`, photos: `photos ${release.version}` }
const signOuts = ['/sign-out', '/account/sign-out-everywhere', '/account/delete']

addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(caches.open(stores.files).then((store) => store.addAll(release.files.map((path) => new Request(path, { credentials: 'omit' })))))
})

addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([registration.navigationPreload?.enable(), discardEarlierReleases()]))
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.method === 'POST' && signOuts.includes(pathname)) event.waitUntil(forget())
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(openPage(event))
  else if (request.headers.get('Accept') === 'text/html') event.respondWith(loadPage(event)) // by site.js
  else if (pathname.startsWith('/static/')) event.respondWith(openFile(request))
  else if (pathname.startsWith('/photos/') && ofListing(request.referrer)) event.respondWith(openPhoto(event))
})

// openPage answers with a page or, without a connection, with the stored one.
async function openPage(event) {
  try {
    return await loadPage(event)
  } catch {
    const stored = await find('pages', event.request.url)
    return stored ? marked(stored) : find('files', '/offline')
  }
}

// loadPage requests a page, and stores it if it is public.
async function loadPage(event) {
  const answer = await event.preloadResponse ?? await fetch(event.request)
  const isPage = answer.headers.get('Content-Type')?.startsWith('text/html')
  if (isPublic(answer) && isPage) event.waitUntil(keep('pages', maxPages, event.request.url, answer.clone()))
  return answer
}

async function openFile(request) {
  return await find('files', request.url) ?? fetch(request)
}

// isPublic reports whether a response may be stored.
function isPublic(answer) {
  return answer.ok && /^public\b/.test(answer.headers.get('Cache-Control'))
}

// openPhoto answers with a photo, and stores it if it is public. Photos at an address never
// change.
async function openPhoto(event) {
  const { request } = event
  const stored = await find('photos', request.url)
  if (stored) return stored
  const answer = await fetch(request)
  if (isPublic(answer)) event.waitUntil(keep('photos', maxPhotos, request.url, answer.clone()))
  return answer
}

// ofListing reports whether an address is that of a listing.
function ofListing(address) {
  return URL.parse(address)?.pathname.startsWith('/listings/')
}

// marked returns a stored page that says at its top that it is one.
async function marked(page) {
  const text = await page.text()
  const language = text.match(/<html lang="(\w+)"/)[1]
  const seen = new Date(page.headers.get('Date')).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
  const notice = text.match(/data-offline="([^"]*)"/)[1].replace('%', seen)
  return new Response(text.replace(/<body[^>]*>/, (body) => `${body}<aside class="notice offline" aria-label="Offline">${notice}</aside>`), { headers: page.headers })
}

async function find(kind, address) {
  const store = await caches.open(stores[kind])
  return store.match(address, { ignoreVary: true })
}

// keep stores a response as the newest, and discards the oldest beyond max.
async function keep(kind, max, address, answer) {
  const body = await answer.blob()
  if (body.size > maxBytes) return
  const store = await caches.open(stores[kind])
  await store.delete(address, { ignoreVary: true })
  await store.put(address, new Response(body, { headers: answer.headers }))
  for (const old of (await store.keys()).slice(0, -max)) await store.delete(old, { ignoreVary: true })
}

// forget discards what was visited.
function forget() {
  return Promise.all([caches.delete(stores.pages), caches.delete(stores.photos)])
}

async function discardEarlierReleases() {
  const current = Object.values(stores)
  const earlier = (await caches.keys()).filter((name) => !current.includes(name))
  return Promise.all(earlier.map((name) => caches.delete(name)))
}
