// Plays the owner of an empty site: setup, brand, and what visitors then see.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check, patience, startBrowser, watch } from './browser.mjs'
import { setUp } from './members.mjs'
import { startSite, top } from './site.mjs'

let site, browser

before(async () => {
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('the owner sets up the site and makes it theirs', { timeout: 2 * patience }, async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  const page = await context.newPage()
  const wrong = await watch(page, site)

  const link = await setUp(site, page, () => check(page, wrong))
  await check(page, wrong)
  await page.goto(`${site.url}/admin/site`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.reload()
  await check(page, wrong)

  await page.getByLabel('Tagline').fill('Leica and Rollei, serviced')
  await page.getByLabel('Accent colour', { exact: true }).fill('#ffcc00')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('is hard to read').first().waitFor()
  await page.getByLabel('Accent colour', { exact: true }).fill('#1f5fae')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your changes are live.').waitFor()
  await page.getByLabel('Logo').setInputFiles(`${top}content/portfolio/far-from-home/nagasaki-boats.jpg`)
  await page.getByRole('button', { name: 'Save image' }).first().click()
  await page.getByText('Image saved.').waitFor()

  const visitor = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  const faults = await watch(visitor, site)
  await visitor.goto(site.url)
  await check(visitor, faults)
  assert.equal(await visitor.locator('h1').innerText(), 'Leica and Rollei, serviced')
  assert.equal(await visitor.locator('.brand img').getAttribute('alt'), 'Foto Ecke')
  assert.equal(await visitor.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--safelight')), '#1f5fae')
  assert.equal((await visitor.goto(link)).status(), 410)
  assert.equal((await fetch(`${site.url}/api/admin/site`)).status, 401)
})
