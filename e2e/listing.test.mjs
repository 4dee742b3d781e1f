// Tests the page of a listing in a browser: what is in sight on a phone, its gallery, and
// the bar with what a reader can do.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { startSite } from './site.mjs'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desktop = { viewport: { width: 1440, height: 900 } }

let site, browser, listing

before(async () => {
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
  const { listings } = await json('/api/listings/search?sort=deal&limit=20')
  for (const { id } of listings) {
    listing = await json(`/api/listings/${id}`)
    if (listing.photos.length > 2) break
  }
  assert.ok(listing.photos.length > 2 && listing.deal, 'a listing with photos and a deal')
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

const json = async (path) => (await fetch(site.url + path, { headers: { Accept: 'application/json' } })).json()

// open resolves to a page of the listing and the problems it has.
async function open(options, path = `/listings/${listing.id}`) {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await page.goto(site.url + path)
  return { page, wrong }
}

for (const colorScheme of ['light', 'dark']) {
  for (const [name, screen] of Object.entries({ phone, desktop })) {
    test(`what a buyer decides by is in sight on a ${name}, ${colorScheme}`, { timeout: 120_000 }, async () => {
      const { page, wrong } = await open({ ...screen, colorScheme })
      assert.equal(await page.locator('.slides li:first-child img').getAttribute('loading'), null)
      await settle(page)
      const bar = await page.locator('.actions').boundingBox()
      const fold = name === 'phone' ? bar.y : screen.viewport.height
      for (const part of ['.slides li:first-child img', '.buy .price b', '.buy .chip', '.grades', '.seller-line']) {
        const box = await page.locator(part).boundingBox()
        assert.ok(box.y >= 0 && box.y + box.height <= fold, `${part} ends at ${box.y + box.height}, of ${fold}`)
      }
      assert.match(await page.locator('.buy .chip').textContent(), /% (below|above) market|At the market price/)
      assert.deepEqual((await page.locator('.actions > *').allTextContents()).filter((text) => !text.startsWith('Buy for €')), ['Make an offer', 'Watch'])
      if (name === 'phone') {
        assert.ok(Math.abs(bar.y + bar.height - screen.viewport.height) < 1, 'the bar is at the bottom')
        await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
        const after = await page.locator('.actions').boundingBox()
        assert.ok(Math.abs(after.y - bar.y) < 1, 'the bar stays when the page scrolls')
        const foot = await page.locator('.foot').boundingBox()
        assert.ok(foot.y + foot.height <= after.y + 1, 'the bar does not cover the end of the page')
      }
      assert.equal(await page.locator('.slides li:first-child img').getAttribute('fetchpriority'), 'high')
      assert.deepEqual(await posture(page), [])
      assert.deepEqual(await violations(page), [])
      assert.deepEqual(wrong, [])
      await page.context().close()
    })
  }
}

test('the gallery turns by keyboard, buttons and thumbnails', { timeout: 120_000 }, async () => {
  const { page, wrong } = await open(desktop)
  const total = listing.photos.length
  await page.locator('.slides a').first().focus()
  await page.keyboard.press('ArrowRight')
  await shows(page, 2)
  await page.keyboard.press('ArrowRight')
  await shows(page, 3)
  await page.keyboard.press('ArrowLeft')
  await shows(page, 2)
  await page.getByRole('button', { name: 'Previous photo' }).click()
  await shows(page, 1)
  assert.equal(await page.getByRole('button', { name: 'Previous photo' }).isVisible(), false)
  await page.getByRole('link', { name: `Show photo ${total}` }).click()
  await shows(page, total)
  assert.equal(await page.locator('.thumbs [aria-current]').getAttribute('aria-label'), `Show photo ${total}`)
  assert.deepEqual(await posture(page), [])
  assert.deepEqual(wrong, [])
  await page.context().close()
})

test('the gallery turns by a swipe, and has loaded the next photo', { timeout: 120_000 }, async () => {
  const { page, wrong } = await open(phone)
  const second = page.locator('.slides li:nth-child(2) img')
  await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, await second.elementHandle())
  const box = await page.locator('.slides').boundingBox()
  const devtools = await page.context().newCDPSession(page)
  const touch = (type, ...touchPoints) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  const y = box.y + box.height / 2
  await touch('touchStart', { x: 300, y })
  for (let x = 280; x > 40; x -= 20) await touch('touchMove', { x, y })
  await touch('touchEnd')
  await shows(page, 2)
  assert.deepEqual(wrong, [])
  await page.context().close()
})

test('a photo opens in full size, zooms, and gives the focus back', { timeout: 120_000 }, async () => {
  const { page, wrong } = await open(desktop)
  await page.locator('.slides a').first().focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Full-size photographs' })
  await dialog.waitFor()
  const picture = dialog.locator('.viewer-slot[aria-hidden="false"] img').last()
  await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, await picture.elementHandle())
  const small = (await picture.boundingBox()).width
  await page.keyboard.press('Enter')
  assert.ok((await picture.boundingBox()).width > small, 'the picture is larger after zooming')
  assert.equal(await page.getByRole('button', { name: 'Actual size' }).getAttribute('aria-pressed'), 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await dialog.getByText(`2 / ${listing.photos.length}`, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await shows(page, 2)
  assert.equal(await page.evaluate(() => document.activeElement.closest('li')?.id), 'photo-2')

  // By the pointer, and closed by its button.
  await page.locator('#photo-2 a').click()
  await dialog.waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate(() => document.activeElement.closest('li')?.id), 'photo-2')
  assert.deepEqual(await posture(page), [])
  assert.deepEqual(wrong, [])
  await page.context().close()
})

test('without JavaScript photos are links, and thumbnails turn the gallery', { timeout: 120_000 }, async () => {
  const { page, wrong } = await open({ ...desktop, javaScriptEnabled: false })
  await page.getByRole('link', { name: 'Show photo 2' }).click()
  await page.waitForURL(/#photo-2$/)
  const turned = () => page.evaluate(() => Math.abs(document.querySelector('.slides').scrollLeft - document.querySelector('.slides').clientWidth) < 2)
  for (const deadline = Date.now() + 30_000; !(await turned());) assert.ok(Date.now() < deadline, 'the second photo is shown')
  const picture = await fetch(new URL(await page.locator('#photo-2 a').getAttribute('href'), site.url))
  assert.equal(picture.headers.get('content-type'), 'image/jpeg')
  assert.deepEqual(wrong, [])
  await page.context().close()
})

for (const javaScriptEnabled of [true, false]) {
  test(`a visitor signs in and is back at the form, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, { timeout: 240_000 }, async (t) => {
    if (!site.run) return t.skip('nobody may make members of another site')
    const suffix = javaScriptEnabled ? 'js' : 'plain'
    const ann = join(site, `ann-listing-${suffix}`)
    const bob = join(site, `bob-listing-${suffix}`)
    const ask = apiOf(site, tokenOf(site, ann))
    const { id } = await ask('POST', '/api/listings', { gear: 'canon/eos-r6', title: 'Canon EOS R6, boxed', price: '999', condition: 'excellent', functional: 'fully_working', region: 'DE' }, 201)
    await ask('POST', `/api/listings/${id}/publish`)

    const { page, wrong } = await open({ ...phone, javaScriptEnabled }, `/listings/${id}`)
    assert.match(await page.locator('.seller-line').textContent(), /New seller/)
    await page.locator('.actions').getByText('Make an offer').click()
    await page.getByLabel(/e-?mail/i).fill(bob.email)
    await page.getByLabel(/password/i).fill(bob.password)
    await page.getByRole('main').getByRole('button', { name: /sign in/i }).first().click()
    await page.waitForURL((url) => url.pathname === `/listings/${id}`)

    const amount = page.locator('#make-offer-amount')
    if (!(await amount.isVisible())) await page.locator('.actions').getByText('Make an offer').click()
    await amount.waitFor()
    const box = await amount.boundingBox()
    const bar = await page.locator('.actions').boundingBox()
    assert.ok(box.y >= 0 && box.y + box.height <= bar.y, 'the bar does not cover the field')
    await page.getByRole('link', { name: 'Message the seller' }).click()
    await page.getByLabel('Your message').waitFor()
    await page.locator('.actions').getByRole('button', { name: /^Watch/ }).click()
    await page.waitForURL((url) => url.pathname !== `/listings/${id}`)
    await page.goto(`${site.url}/listings/${id}`)
    assert.equal(await page.locator('.actions').getByText('Watching').count(), 1)

    // Its seller has other things to do.
    const own = await open({ ...phone, javaScriptEnabled }, '/sign-in')
    await signIn(own.page, site, ann)
    await own.page.goto(`${site.url}/listings/${id}`)
    assert.deepEqual((await own.page.locator('.actions > *').allTextContents()).map((text) => text.trim()), ['Edit', 'Watchers'])
    await own.page.locator('summary').getByText('Mark as sold').click()
    await own.page.getByLabel('How much did it sell for?').waitFor()
    for (const of of [wrong, own.wrong]) assert.deepEqual(of, [])
    await own.page.context().close()
    await page.context().close()
  })
}

// shows waits until a gallery shows its nth photo.
async function shows(page, n, within = '.gallery') {
  await page.waitForFunction(([within, n]) => {
    const list = document.querySelector(`${within} .slides`)
    return Math.abs(list.scrollLeft - (n - 1) * list.clientWidth) < 2 && document.querySelector(`${within} .counter`).textContent.startsWith(`${n} / `)
  }, [within, n])
}
