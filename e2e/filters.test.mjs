// Filters that a page of a search leaves out until somebody asks for them, with and without JavaScript.
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

// open opens a search in a page of its own.
async function open(query, options) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await page.goto(`${site.url}/listings?${query}`)
  return { page, wrong, close: () => context.close() }
}

const facet = (page, heading) => page.locator('.facet').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })

for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
  test(`a script loads more filters when they are asked for, ${viewport.width} pixels wide`, async () => {
    const { page, wrong, close } = await open('keyword=50mm', { viewport })
    const narrow = page.getByRole('button', { name: 'Filters', exact: false }).first()
    if (await narrow.isVisible()) await narrow.click()
    const photo = await page.locator('.card img').first().elementHandle()
    const few = await facet(page, 'Defects').locator('input').count()
    await facet(page, 'Defects').getByRole('link', { name: /more$/ }).press('Enter')
    await facet(page, 'Defects').locator('summary:focus').waitFor()
    assert.ok(await facet(page, 'Defects').locator('input:visible').count() > few)
    assert.equal(await facet(page, 'Without defects').locator('details[open]').count(), 0, 'only what was asked for is unfolded')
    assert.equal(new URL(page.url()).search, '?keyword=50mm')
    assert.ok(await photo.evaluate((img) => img.isConnected), 'the results stay')

    const more = page.locator('summary').getByText('More filters')
    await more.click()
    await page.locator('[name=sensor]').focus()
    await page.locator('[name=sensor]').selectOption({ index: 1 })
    await page.waitForURL(/sensor/)
    assert.ok(await page.locator('select:focus').count() > 0, 'the focus stays')
    assert.ok(await facet(page, 'Defects').locator('details[open]').count() > 0, 'what is unfolded stays')
    await page.locator('[name=sensor]').selectOption('')
    await page.waitForURL((url) => url.search === '?keyword=50mm')
    await page.locator('main:not([aria-busy])').waitFor()
    assert.ok(await page.locator('[name=sensor]').isVisible())
    await page.goBack()
    await page.waitForURL(/sensor/)
    await page.waitForFunction(() => document.querySelector('[name=sensor]')?.value)
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(wrong, [])
    await close()
  })
}

test('more filters are on a page of their own without scripts', async () => {
  const { page, wrong, close } = await open('keyword=50mm&condition=good', { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'More filters' }).click()
  await page.waitForURL(/view=full/)
  assert.equal(await page.locator('.facet .more').count(), 0)
  assert.ok(await facet(page, 'Condition').getByLabel('Good').isChecked())
  await facet(page, 'Without defects').getByLabel('No dents').check()
  await page.locator('[name=sensor]').selectOption({ index: 1 })
  await page.locator('.facets').getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/sensor/)
  const { searchParams } = new URL(page.url())
  assert.deepEqual([searchParams.get('condition'), searchParams.get('without_defects')], ['good', 'dents'])
  assert.deepEqual(wrong, [])
  await close()
})

test('filters that are chosen are on the page at once', async () => {
  const { page, wrong, close } = await open('focal_min=50&without_defects=dents', { javaScriptEnabled: false })
  assert.equal(await page.locator('.more-filters [name=focal_min]').inputValue(), '50')
  assert.ok(await page.locator('.more-filters [name=focal_min]').isVisible())
  assert.ok(await facet(page, 'Without defects').getByLabel('No dents').isChecked())
  assert.ok(await facet(page, 'Without defects').getByLabel('No dents').isVisible())
  assert.ok(await facet(page, 'Region').getByRole('link', { name: /more$/ }).isVisible(), 'others are left out')
  assert.deepEqual(wrong, [])
  await close()
})
