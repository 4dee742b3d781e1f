// Tests the header and the footer in a browser: on a phone, by keyboard, and the choice of
// light or dark.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser, watch } from './browser.mjs'
import { startSite } from './site.mjs'

let site, browser

before(async () => {
  site = await startSite({ shared: 'read' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

for (const javaScriptEnabled of [true, false]) {
  test(`the header of a phone has search and a menu, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled })
    const page = await context.newPage()
    await page.goto(site.url)
    assert.ok((await page.locator('header.top').boundingBox()).height < 125)
    const sell = page.getByRole('link', { name: 'Sell', exact: true })
    assert.equal(await sell.isVisible(), false)
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    await sell.waitFor()
    await page.keyboard.press('Escape')
    await sell.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await sell.click()
    await page.waitForURL(/\/s(ell|ign-in)/)
    await context.close()
  })
}

test('the search box keeps 200 px, whatever the site is called', async () => {
  const page = await browser.newPage()
  await page.goto(site.url)
  for (const name of ['Foto', 'Oberschwarzenberger Kamera- und Objektivhandlung']) {
    await page.locator('.brand').evaluate((brand, name) => (brand.textContent = name), name)
    for (const width of [320, 390, 640, 831, 833, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const box = await page.locator('#find').boundingBox()
      assert.ok(box.width >= 200 && box.x + box.width <= width, `${name} at ${width}: ${JSON.stringify(box)}`)
    }
  }
  await page.close()
})

test('the index for agents is the last Tab stop', async () => {
  const page = await browser.newPage()
  await page.goto(site.url)
  const last = await page.evaluate(() => [...document.querySelectorAll('a[href], button, input, select, summary')].filter((e) => e.checkVisibility()).at(-1).getAttribute('href'))
  assert.equal(last, '/llms.txt')
  await page.close()
})

test('light or dark is chosen, and stays chosen before the page is painted', async () => {
  const context = await browser.newContext({ colorScheme: 'light' })
  const page = await context.newPage()
  const wrong = await watch(page, site)
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.goto(site.url)
  const light = await paper()
  await page.getByLabel('Appearance').selectOption('Dark')
  const dark = await paper()
  assert.notEqual(dark, light)
  await page.route('**/*.js', (route) => /site|suggest|viewed/.test(route.request().url()) ? route.abort() : route.continue())
  await page.goto(`${site.url}/gear`)
  assert.equal(await paper(), dark)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByLabel('Appearance').selectOption('Light')
  assert.equal(await paper(), light)
  await page.getByLabel('Appearance').selectOption('System')
  assert.equal(await paper(), dark)
  assert.equal(await page.evaluate(() => localStorage.getItem('theme')), null)
  assert.deepEqual(wrong.filter((what) => !what.includes('ERR_FAILED')), [])
  await context.close()
})
