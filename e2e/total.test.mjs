// Sorts searches by price and postage to a country, with and without JavaScript.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser, violations, watch } from './browser.mjs'
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

for (const options of [{}, { javaScriptEnabled: false }, { viewport: { width: 390, height: 844 } }]) {
  test(`a search is sorted by price and postage ${JSON.stringify(options)}`, async () => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const wrong = await watch(page, site)
    await page.goto(site.url + '/listings?keyword=50mm')
    await page.getByRole('link', { name: 'Price + postage' }).click()
    const form = page.locator('.results .deliver')
    await form.getByLabel('Delivery to').selectOption('Germany')
    await form.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/ship_to=DE/)
    assert.equal(new URL(page.url()).searchParams.get('sort'), 'total')
    const totals = await page.locator('.card .total b').allTextContents()
    const amounts = totals.map(text => Number(text.replace(/[^\d.]/g, '')))
    assert.ok(amounts.length > 2)
    assert.deepEqual(amounts, amounts.toSorted((a, b) => a - b))
    if (options.javaScriptEnabled !== false) {
      assert.deepEqual(await violations(page), [])
    }
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL(/cursor=/)
    assert.ok(await page.locator('.card .line').filter({ hasText: 'postage' }).count() > 0)
    assert.deepEqual(wrong, [])
    await context.close()
  })
}

for (const javaScriptEnabled of [true, false]) {
  test(`any country can be chosen in a search ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const context = await browser.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    const wrong = await watch(page, site)
    await page.goto(site.url + '/listings?keyword=50mm')
    if (!javaScriptEnabled) {
      await page.locator('.filters').getByRole('link', { name: 'Select a country' }).click()
      await page.waitForURL(/sort=total/)
    }
    const form = page.locator(javaScriptEnabled ? '.filters .deliver' : '.results .deliver')
    await form.getByLabel('Delivery to').selectOption('Vietnam')
    assert.ok(await form.locator('option').count() > 240)
    if (!javaScriptEnabled) await form.getByRole('button', { name: 'Apply' }).click() // with scripts, at once
    await page.waitForURL(/ship_to=VN/)
    assert.equal(await page.locator('.filters .deliver select').inputValue(), 'VN')
    assert.deepEqual(wrong, [])
    await context.close()
  })
}
