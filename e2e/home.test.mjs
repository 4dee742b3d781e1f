// Looks at home pages as their visitors do: both halves of a shop with a portfolio are in the window
// before anyone scrolls, and each layout of a portfolio's home is without faults, narrow and wide, light
// and dark.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check, startBrowser, watch } from './browser.mjs'
import { apiOf, join, tokenOf } from './members.mjs'
import { startSite } from './site.mjs'

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const desktop = { viewport: { width: 1440, height: 900 } }

let site, browser, change

before(async () => {
  site = await startSite()
  browser = await startBrowser()
  const api = apiOf(site, tokenOf(site, join(site, 'the-owner', { operator: true }), 'site'))
  change = async (settings) => api('PATCH', '/api/admin/site', { version: (await api('GET', '/api/admin/site')).version, ...settings })
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// visit opens the home page in a new window.
async function visit(settings) {
  const context = await browser.newContext(settings)
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await page.goto(site.url)
  return { page, wrong, close: () => context.close() }
}

for (const [name, settings] of Object.entries({ phone, desktop })) {
  test(`both halves of a site are in the window of a ${name}`, async () => {
    await change({ purpose: 'portfolio_and_shop' })
    const { page, wrong, close } = await visit(settings)
    const { width, height } = settings.viewport
    for (const half of ['main a[href="/listings"]', 'main a[href="/portfolio"]', 'main .hero .frame img:not(.ground)']) {
      const box = await page.locator(half).first().boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= width + 1, `${half} is at ${JSON.stringify(box)}`)
      const seen = Math.min(box.y + box.height, height) - Math.max(box.y, 0)
      assert.ok(half.includes('img') ? seen >= 0.15 * height : seen >= box.height - 1, `${half} is at ${JSON.stringify(box)} of ${height}`)
    }
    await check(page, wrong, `home-both-${name}`)
    await close()
  })
}

for (const layout of ['stream', 'full', 'tiles', 'strip']) {
  test(`a portfolio's home in the layout ${layout} has no faults`, async () => {
    await change({ purpose: 'portfolio', home_layout: layout })
    for (const [name, settings] of Object.entries({ phone, desktop })) {
      for (const colorScheme of ['light', 'dark']) {
        const { page, wrong, close } = await visit({ ...settings, colorScheme })
        const pictures = await page.locator('main img:not(.ground)').evaluateAll((all) => all.map((img) => img.getBoundingClientRect()).filter((box) => box.width > 0 && box.top < innerHeight && box.bottom > 0).length)
        assert.ok(pictures > 0, 'no photograph is in the window')
        await check(page, wrong, `home-${layout}-${name}-${colorScheme}`)
        await close()
      }
    }
  })
}
