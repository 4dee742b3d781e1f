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
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your changes are live.').waitFor()

  // The look: a colour that can't be read, one that can, a menu and the home page, all by mouse.
  await page.goto(`${site.url}/admin/look`)
  const accent = page.locator('.accent').first()
  await accent.locator('input[type=color]').evaluate((input) => {
    input.value = '#ffcc00'
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await accent.getByText('Too hard to read').waitFor()
  await accent.getByRole('button', { name: 'Use the nearest readable colour' }).click()
  await accent.getByText('Easy to read').waitFor()
  await accent.getByRole('button', { name: 'Blue' }).click()
  await page.waitForFunction(() => document.querySelector('.stage iframe').contentDocument?.documentElement?.style.getPropertyValue('--safelight') === '#1f5fae')
  const menu = page.locator('.sortable').first()
  await menu.getByLabel('Label').nth(0).fill('Notes')
  await menu.getByLabel('Leads to').nth(0).selectOption('/journal')
  await menu.getByLabel('Label').nth(1).fill('Elsewhere')
  await menu.getByLabel('Leads to').nth(1).selectOption('other')
  await menu.getByLabel('Address', { exact: true }).nth(1).fill('https://ada.example/')
  await menu.getByRole('button', { name: 'Move up' }).nth(1).click()
  const home = page.locator('.sortable').nth(2)
  await home.getByLabel('Visible').nth(1).selectOption('false')
  await check(page, wrong)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your changes are live.').waitFor()
  assert.deepEqual(await menu.getByLabel('Label').evaluateAll((inputs) => inputs.map((input) => input.value)), ['Elsewhere', 'Notes', '', ''])
  assert.deepEqual((await page.evaluate(() => fetch('/admin/site.json').then((answer) => answer.json()))).header_links, ['Elsewhere | https://ada.example/', 'Notes | /journal'])
  await check(page, wrong)
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
