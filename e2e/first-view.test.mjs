// Tests what the photographs of the first view of a search page weigh on a phone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './browser.mjs'
import { startSite } from './site.mjs'

const limit = 200_000 // bytes

let site, browser

before(async () => {
  site = await startSite({ shared: 'read' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

for (const density of [2, 3]) {
  test(`a search page on a phone with ${density} pixels a point`, async (t) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: density, isMobile: true, hasTouch: true })
    const page = await context.newPage()
    const photos = []
    page.on('response', (response) => {
      if (response.url().includes('/photos/')) photos.push(response.body().then((body) => body.length))
    })
    await page.goto(`${site.url}/listings`, { waitUntil: 'networkidle' })
    const sizes = await Promise.all(photos)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    t.diagnostic(`${sizes.length} photos, ${bytes} bytes`)
    assert.ok(sizes.length > 0 && bytes <= limit, `${sizes.length} photos have ${bytes} bytes`)
    await context.close()
  })
}
