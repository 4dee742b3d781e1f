// Tests the pages of the portfolio in a browser, as a visitor looks at photographs: what
// is in the window, keys, swipes, the dark background, proportions and weight.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { startSite } from './site.mjs'

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true }
const desktop = { viewport: { width: 1440, height: 900 } }

let site, browser

before(async () => {
  site = await startSite({ shared: 'read' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// open opens a page in a new window.
async function open(path, settings) {
  const context = await browser.newContext(settings)
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await page.goto(site.url + path)
  await settle(page)
  return { page, wrong, close: () => context.close() }
}

for (const [name, settings] of Object.entries({ phone, desktop })) {
  for (const path of ['/portfolio/far-from-home/french-alpine-landscape', '/portfolio/forms-of-life/allium-oreophilum', '/portfolio/forms-of-life/locomotion-house-cat']) {
    test(`${path} is in the window of a ${name}`, async () => {
      const { page, wrong, close } = await open(path, settings)
      const { height } = settings.viewport
      const picture = await page.locator('.stage .frame').boundingBox()
      assert.ok(picture.y + picture.height <= height, `the picture ends at ${picture.y + picture.height}`)
      assert.ok(picture.height <= 0.86 * height + 1, `the picture is ${picture.height} high`)
      assert.ok(picture.width >= settings.viewport.width - 1 || picture.height >= 0.78 * height, `the picture is ${picture.width} × ${picture.height}`)
      const natural = await page.locator('.stage img').last().evaluate((img) => img.naturalWidth / img.naturalHeight)
      assert.ok(Math.abs(picture.width / picture.height / natural - 1) < 0.02, 'the picture has its proportions')
      for (const arrow of await page.locator('.stage a').all()) {
        const box = await arrow.boundingBox()
        assert.ok(box.y + box.height <= height && box.x >= 0 && box.x + box.width <= settings.viewport.width, JSON.stringify(box))
        assert.ok(box.x >= picture.x - 1 && box.x + box.width <= picture.x + picture.width + 1, 'the arrow is over the picture')
      }
      assert.equal(await page.evaluate(() => globalThis.shift), 0)
      assert.deepEqual([...wrong, ...(await posture(page))], [])
      await close()
    })
  }
}

test('keys turn photographs over, and the next one is loaded ahead', async () => {
  const { page, wrong, close } = await open('/portfolio/far-from-home/nagasaki-boats', desktop)
  const ahead = await page.locator('.stage .on').getAttribute('data-srcset')
  await page.waitForFunction((srcset) => performance.getEntriesByType('resource').some((e) => srcset.includes(new URL(e.name).pathname)), ahead)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL('**/french-alpine-landscape')
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL('**/nagasaki-boats')
  await page.keyboard.press('Escape')
  await page.waitForURL('**/portfolio/far-from-home')
  assert.deepEqual(wrong, [])
  await close()
})

test('swipes turn photographs over', async () => {
  const { page, wrong, close } = await open('/portfolio/far-from-home/nagasaki-boats', phone)
  const session = await page.context().newCDPSession(page)
  const swipe = async (from, to) => {
    const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((x) => ({ x, y: 300 })) })
    await touch('touchStart', from)
    for (let step = 1; step <= 5; step++) await touch('touchMove', from + (to - from) * step / 5)
    await touch('touchEnd')
  }
  await swipe(200, 180) // too short
  assert.match(page.url(), /nagasaki-boats$/)
  await swipe(250, 80)
  await page.waitForURL('**/french-alpine-landscape')
  await settle(page)
  await swipe(80, 250)
  await page.waitForURL('**/nagasaki-boats')
  assert.deepEqual(wrong, [])
  await close()
})

test('the dark background is remembered, and needs no script', async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const { page, wrong, close } = await open('/portfolio/far-from-home/nagasaki-boats', { ...desktop, colorScheme: 'light' })
  assert.equal(await ground(page), 'rgb(251, 250, 247)')
  await page.getByLabel('Dark background').check()
  assert.equal(await ground(page), 'rgb(13, 11, 10)')
  await page.locator('.stage .on').click()
  await page.waitForURL('**/french-alpine-landscape')
  assert.equal(await ground(page), 'rgb(13, 11, 10)')
  assert.ok(await page.getByLabel('Dark background').isChecked())
  assert.deepEqual(await violations(page), [])
  await page.goto(`${site.url}/portfolio/far-from-home`)
  assert.equal(await ground(page), 'rgb(251, 250, 247)')
  await page.goBack()
  await page.getByLabel('Dark background').uncheck()
  assert.equal(await ground(page), 'rgb(251, 250, 247)')
  assert.deepEqual(wrong, [])
  await close()

  const plain = await open('/portfolio/far-from-home/nagasaki-boats', { ...desktop, colorScheme: 'light', javaScriptEnabled: false })
  await plain.page.getByLabel('Dark background').check()
  assert.equal(await ground(plain.page), 'rgb(13, 11, 10)')
  await plain.close()
})

for (const [name, settings] of Object.entries({ phone, desktop })) {
  test(`photographs of a project keep their proportions on a ${name}`, async () => {
    for (const path of ['/portfolio/forms-of-life', '/portfolio/far-from-home']) {
      const { page, wrong, close } = await open(path, settings)
      const pictures = await page.locator('.justified img:not(.ground)').evaluateAll((all) => Promise.all(all.map(async (img) => {
        img.loading = 'eager' // those below the window too
        await img.decode()
        const { width, height, top, left } = img.getBoundingClientRect()
        return { width, height, top, left, ratio: img.naturalWidth / img.naturalHeight }
      })))
      assert.ok(pictures.length >= 2) // and the cover above them
      for (const p of pictures) assert.ok(Math.abs(p.width / p.height - p.ratio) < 0.01, `${path}: ${JSON.stringify(p)}`)
      for (const p of pictures) for (const q of pictures) if (p.top === q.top) assert.ok(Math.abs(p.height - q.height) < 0.02 * p.height, `${path}: a row is ${p.height} and ${q.height} high`)
      assert.equal(await page.evaluate(() => globalThis.shift), 0)
      assert.deepEqual(await violations(page), [])
      assert.deepEqual([...wrong, ...(await posture(page))], [])
      await close()
    }
  })
}

test('what a phone shows first has at most 200 kB', async () => {
  for (const path of ['/portfolio', '/portfolio/far-from-home', '/portfolio/far-from-home/nagasaki-boats', '/portfolio/forms-of-life/acanthus-mollis']) {
    const context = await browser.newContext(phone)
    const page = await context.newPage()
    await page.goto(site.url + path, { waitUntil: 'load' })
    const bytes = await page.evaluate(async () => {
      const images = [...document.images].filter((img) => img.getBoundingClientRect().top < innerHeight)
      await Promise.all(images.map((img) => img.decode())) // the load event doesn't wait for lazy ones
      const shown = images.map((img) => img.currentSrc)
      return performance.getEntriesByType('resource').filter((e) => shown.includes(e.name)).reduce((sum, e) => sum + e.encodedBodySize, 0)
    })
    assert.ok(bytes > 10_000 && bytes <= 200_000, `${path}: ${bytes} bytes of pictures`)
    await context.close()
  }
})
