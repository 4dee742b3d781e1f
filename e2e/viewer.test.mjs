// Tests the viewer of photographs in a browser, by keys, mouse and touch: what it shows, its
// addresses, how soon it shows the first picture, and that pages are as they were after it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { overlaps, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { startSite } from './site.mjs'

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true }
const desktop = { viewport: { width: 1440, height: 900 } }
const project = '/portfolio/far-from-home'

let site, browser, listing

before(async () => {
  site = await startSite({ shared: 'read' })
  browser = await startBrowser()
  const { listings } = await (await fetch(`${site.url}/api/listings/search?limit=100`)).json()
  for (const { id } of listings) {
    const found = await (await fetch(`${site.url}/api/listings/${id}`)).json()
    if (found.photos?.length > 2) {
      listing = `/listings/${id}`
      break
    }
  }
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

async function open(path, settings) {
  const context = await browser.newContext(settings)
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await page.goto(site.url + path)
  await settle(page)
  const close = async () => {
    assert.deepEqual([...wrong, ...(await posture(page))], [])
    assert.equal(await page.evaluate(() => globalThis.shift), 0, 'the page moves')
    await context.close()
  }
  return { page, close, viewer: page.getByRole('dialog', { name: 'Full-size photographs' }) }
}

// addressesOf returns the addresses of the photographs of a page.
const addressesOf = (page) => page.locator('[data-view]').evaluateAll((all) => all.map((e) => new URL(e.dataset.view, location.href).href))

const at = (page, address) => page.waitForURL(address)
const shows = (page, count) => page.locator('.viewer-count').getByText(count, { exact: true }).waitFor()
const pressed = (page, name) => page.getByRole('button', { name }).getAttribute('aria-pressed')
const scaled = (page) => page.locator('.viewer-slot[aria-hidden="false"] .viewer-picture').evaluate((e) => new DOMMatrix(getComputedStyle(e).transform).a)
const seen = (page) => page.waitForFunction(() => {
  const image = document.querySelector('.viewer-slot[aria-hidden="false"] img:last-child')
  return image?.complete && image.naturalWidth > 0
})

// fingers returns functions that touch a page at points.
async function fingers(page) {
  const session = await page.context().newCDPSession(page)
  const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
  const drag = async (...paths) => {
    await touch('touchStart', ...paths.map(([from]) => from))
    for (let step = 1; step <= 5; step++) await touch('touchMove', ...paths.map(([[x, y], [a, b]]) => [x + (a - x) * step / 5, y + (b - y) * step / 5]))
    await touch('touchEnd')
  }
  const tap = async (point) => {
    await touch('touchStart', point)
    await touch('touchEnd')
  }
  return { drag, tap }
}

test('keys open, turn, zoom and close it, and addresses follow', async () => {
  const { page, viewer, close } = await open(project, desktop)
  const addresses = await addressesOf(page)
  assert.ok(addresses.length >= 4 && new Set(addresses).size === addresses.length, addresses.join())
  const second = page.locator('[data-view] > a').nth(1)
  await second.focus()
  const place = await page.evaluate(() => scrollY)
  await page.keyboard.press('Enter')
  await viewer.waitFor()
  await at(page, addresses[1])
  await seen(page)
  await shows(page, `2 / ${addresses.length}`)
  assert.equal(await page.locator('.viewer-about .name').textContent(), await page.locator('[data-view]').nth(1).locator('.name').textContent())
  await page.keyboard.press('i')
  assert.equal(await page.locator('.viewer-about').isVisible(), false)
  await page.keyboard.press('i')
  assert.equal(await page.locator('.viewer-about').isVisible(), true)
  for (const surround of ['grey', 'white', 'black']) {
    await page.keyboard.press('b')
    assert.equal(await page.locator('.viewer-stage').getAttribute('data-surround'), surround)
  }
  await page.keyboard.press('z')
  assert.ok(await scaled(page) > 1)
  await page.keyboard.press('ArrowRight') // moves the enlarged picture
  assert.equal(page.url(), addresses[1])
  await page.keyboard.press('Enter')
  assert.equal(await scaled(page), 1)
  await page.keyboard.press('ArrowLeft')
  await at(page, addresses[0])
  await page.keyboard.press('ArrowLeft') // there is none before
  await page.keyboard.press('ArrowRight')
  await at(page, addresses[1])
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  await at(page, site.url + project)
  assert.equal(await page.evaluate(() => scrollY), place)
  assert.ok(await second.evaluate((e) => e === document.activeElement), 'the focus is where it was')

  await page.keyboard.press('f')
  await viewer.waitFor()
  await page.keyboard.press('End')
  await at(page, addresses.at(-1))
  assert.equal(await page.getByRole('button', { name: 'Next photo' }).isVisible(), false)
  await page.goBack()
  await viewer.waitFor({ state: 'hidden' })
  await at(page, site.url + project)
  await page.goForward()
  await viewer.waitFor()
  await at(page, addresses.at(-1))
  await page.evaluate(() => new Promise((resolve) => { // Back and Forward at once leave it open
    addEventListener('popstate', () => {
      addEventListener('popstate', () => setTimeout(resolve, 300), { once: true })
      history.forward()
    }, { once: true })
    history.back()
  }))
  assert.ok(await viewer.isVisible())
  await at(page, addresses.at(-1))
  await page.reload() // the address is that of a page
  await page.locator('.stage').waitFor()
  await page.goBack()
  await at(page, site.url + project)
  await close()
})

test('a mouse opens, turns, zooms and closes it, and controls hide', async () => {
  const { page, viewer, close } = await open(project, desktop)
  const addresses = await addressesOf(page)
  await page.locator('[data-view] > a').first().click({ position: { x: 600, y: 100 } })
  await viewer.waitFor()
  await seen(page)
  await page.getByRole('button', { name: 'Next photo' }).click()
  await at(page, addresses[1])
  await page.getByRole('button', { name: 'Next photo' }).click()
  await page.getByRole('button', { name: 'Previous photo' }).click()
  await at(page, addresses[1])
  await page.mouse.click(500, 500)
  assert.ok(await scaled(page) > 1)
  await page.keyboard.press('z')
  assert.equal(await scaled(page), 1)
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.viewer-bar')).opacity === '0')
  await page.mouse.move(700, 400)
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.viewer-bar')).opacity === '1')
  await page.getByRole('button', { name: 'Close' }).click()
  await viewer.waitFor({ state: 'hidden' })
  await at(page, site.url + project)
  await close()
})

test('fingers open, turn, zoom and close it', async () => {
  const { page, viewer, close } = await open(project, phone)
  const addresses = await addressesOf(page)
  const { drag, tap } = await fingers(page)
  const box = await page.locator('[data-view] > a').first().boundingBox()
  await tap([box.x + box.width / 2, box.y + 60])
  await viewer.waitFor()
  await seen(page)
  await drag([[200, 420], [180, 420]]) // too short
  assert.equal(page.url(), addresses[0])
  await drag([[300, 420], [80, 420]])
  await at(page, addresses[1])
  await drag([[80, 420], [300, 420]])
  await at(page, addresses[0])
  await drag([[180, 420], [60, 420]], [[210, 420], [330, 420]])
  assert.ok(await scaled(page) > 1.5, 'two fingers zoom')
  await drag([[300, 420], [80, 420]]) // moves the enlarged picture
  assert.equal(page.url(), addresses[0])
  await tap([195, 420])
  await tap([195, 420])
  assert.equal(await scaled(page), 1)
  await tap([195, 300])
  await tap([195, 300])
  assert.ok(await scaled(page) > 1)
  await tap([195, 300])
  await tap([195, 300])
  assert.equal(await scaled(page), 1)
  await drag([[195, 300], [195, 560]])
  await viewer.waitFor({ state: 'hidden' })
  await at(page, site.url + project)
  await close()
})

test('a slideshow runs, stops at the end, and moves nothing for those who want that', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const context = await browser.newContext({ ...desktop, reducedMotion })
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(site.url + project)
    const addresses = await addressesOf(page)
    await page.keyboard.press('f')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await seen(page)
    await page.keyboard.press(' ')
    assert.equal(await pressed(page, 'Slideshow'), 'true')
    await page.clock.runFor(5100)
    await at(page, addresses.at(-1))
    await seen(page)
    await page.clock.runFor(5100)
    await page.locator('[aria-label="Slideshow"][aria-pressed="false"]').waitFor()
    const transition = await page.locator('.viewer-strip').evaluate((e) => getComputedStyle(e).transitionDuration)
    assert.equal(transition, reducedMotion === 'reduce' ? '0s' : '0.25s')
    await context.close()
  }
})

test('the first picture and its neighbours are loaded before the click', async (t) => {
  const { page, viewer, close } = await open(project, desktop)
  const link = page.locator('[data-view] > a').nth(1)
  await link.hover()
  await page.waitForFunction(() => performance.getEntriesByType('resource').filter((e) => e.initiatorType === 'img').every((e) => e.responseEnd > 0))
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    addEventListener('click', () => {
      const start = performance.now()
      const look = () => {
        const image = document.querySelector('.viewer[open] .viewer-slot[aria-hidden="false"] img:last-child')
        if (image?.complete && image.naturalWidth > 0) requestAnimationFrame(() => (globalThis.took = performance.now() - start))
        else requestAnimationFrame(look)
      }
      look()
    }, { capture: true, once: true })
  })
  await link.click()
  await viewer.waitFor()
  await page.waitForFunction(() => globalThis.took)
  const took = await page.evaluate(() => globalThis.took)
  t.diagnostic(`${took.toFixed(0)} ms`)
  const loaded = await page.evaluate(() => document.querySelectorAll('.viewer-slot').length)
  assert.equal(loaded, 3, 'the neighbours are loaded')
  await close()
})

test('it fits every window, light and dark, and axe finds nothing', async () => {
  for (const width of [320, 390, 768, 1280, 1920]) {
    for (const colorScheme of ['light', 'dark']) {
      const { page, viewer, close } = await open(project, { viewport: { width, height: Math.round(width > 700 ? width * 0.6 : width * 1.9) }, colorScheme })
      assert.deepEqual(await overlaps(page), [], `${width}`)
      await page.keyboard.press('f')
      await viewer.waitFor()
      await page.keyboard.press('ArrowRight')
      await seen(page)
      await page.keyboard.press('Tab') // controls with the focus stay
      for (const surround of ['black', 'grey', 'white']) {
        assert.equal(await page.locator('.viewer-stage').getAttribute('data-surround'), surround)
        assert.deepEqual(await violations(page, '.viewer'), [], `${width} ${colorScheme} ${surround}`)
        await page.keyboard.press('b')
      }
      const box = await page.locator('.viewer').boundingBox()
      assert.deepEqual([box.x, box.y, box.width, box.height], [0, 0, width, page.viewportSize().height])
      for (const button of await page.locator('.viewer button:visible').all()) {
        const box = await button.boundingBox()
        assert.ok(box.x >= 0 && box.x + box.width <= width && box.width >= 24, `${width}: ${JSON.stringify(box)}`)
      }
      await page.keyboard.press('Escape')
      await close()
    }
  }
})

test('the page of a photograph opens it among those of its project', async () => {
  const { page, viewer, close } = await open(`${project}/french-alpine-landscape`, desktop)
  await page.keyboard.press('f')
  await viewer.waitFor()
  await page.locator('.viewer-count').getByText(/ \/ 4$/).waitFor()
  const before = page.url()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL((url) => url.href !== before && url.pathname.startsWith(`${project}/`))
  await seen(page)
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  await at(page, before)
  await page.locator('.stage .frame').click({ position: { x: 400, y: 300 } })
  await viewer.waitFor()
  await page.goBack()
  await viewer.waitFor({ state: 'hidden' })
  await close()
})

test('the information is one line, and its gear leads to prices', async () => {
  const { page, viewer, close } = await open('/portfolio/forms-of-life', desktop)
  const line = page.locator('.viewer-about .shot')
  await page.keyboard.press('f')
  await viewer.waitFor()
  assert.match((await line.innerText()).trim(), /^Canon EOS R6 · RF 85mm/)
  const box = await line.boundingBox()
  assert.ok(box.height < 30, `${box.height} px are more than a line`)
  await line.getByRole('link', { name: 'Canon EOS R6' }).click()
  await page.waitForURL('**/gear/canon/eos-r6')
  await page.goBack()
  await page.locator('.viewer[open], .stage').first().waitFor()
  await close()
})

test('it shows the photographs of a listing, too', async () => {
  const { page, viewer, close } = await open(listing, desktop)
  await page.locator('.slides a').first().click()
  await viewer.waitFor()
  await seen(page)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL('**/listings/*#photo-2')
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  await at(page, site.url + listing)
  await page.locator('.gallery > .frame-strip .counter').getByText(/^2 \//).waitFor()
  assert.equal(await page.evaluate(() => document.activeElement.closest('li')?.id), 'photo-2')
  await close()
})

test('without JavaScript photographs lead to their pages', async () => {
  const { page, close } = await open(project, { ...desktop, javaScriptEnabled: false })
  const [address] = await addressesOf(page)
  await page.locator('[data-view] > a').first().click({ position: { x: 600, y: 100 } })
  await at(page, address)
  await page.locator('.stage').waitFor()
  await page.context().close()
  assert.ok(close)
})

test('only pages with photographs load it', async () => {
  for (const [path, has] of [[project, true], [listing, true], [`${project}/nagasaki-boats`, true], ['/portfolio?subject=plants', true], ['/listings', false], ['/about', false]]) {
    const html = await (await fetch(site.url + path)).text()
    assert.equal(/<script[^>]+viewer\./.test(html), has, path)
  }
})
