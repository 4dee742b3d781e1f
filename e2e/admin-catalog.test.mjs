// Plays the owner who adds gear that the catalogue lacks, and imports a shop's stock.
import assert from 'node:assert/strict'
import { writeFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { patience, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { startSite } from './site.mjs'


const shop = `Handle,Title,Body (HTML),Vendor,Tags,Published,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Price,Image Src,Status
prototype-9,Canon Prototype Nine,<p>Boxed &amp; tested.</p>,Canon,"Excellent, camera",true,Title,Default Title,1,1499.00,,active
prototype-9,,,,,,,,,,https://cdn.example/2.jpg,
eos-r6,EOS R6,,Canon,Good,true,Title,Default Title,1,free,,active
`

let site, browser

before(async () => {
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// check asserts that a page has no fault of layout, policy or accessibility, on phones and
// desks, in both lights.
async function check(page, wrong) {
  for (const [width, colorScheme] of [[390, 'dark'], [1440, 'light'], [390, 'light'], [1440, 'dark']]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await settle(page)
    assert.deepEqual([...wrong, ...(await posture(page))], [], page.url())
    assert.deepEqual(await violations(page), [], page.url())
    if (process.env.SHOTS) {
      const name = new URL(page.url()).pathname.replaceAll('/', '-').replace(/[0-9a-f]{8}-.*/, 'id')
      await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
}

test('the owner adds gear, corrects it and imports a shop', { timeout: 4 * patience }, async () => {
  const link = site.run(['setup']).trim().replace(/^http:\/\/[^/]+/, site.url)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await page.goto(link)
  await page.getByLabel('Name of the site').fill('Foto Ecke')
  await page.getByLabel('Your name').fill('Ada Ortega')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Email address').fill('ada@example.org')
  await page.getByLabel('Password').fill('four words in a row')
  await page.getByRole('button', { name: 'Set up the site' }).click()
  await page.waitForURL('**/admin/checklist')

  await page.goto(`${site.url}/admin/catalog?keyword=canon+eos+r6`)
  await check(page, wrong)
  await page.goto(`${site.url}/admin/catalog/new`)
  await check(page, wrong)
  await page.getByLabel('Brand').fill('Canon')
  await page.getByLabel('Model').fill('Prototype Nine')
  await page.getByLabel('Category').selectOption('mirrorless')
  await page.getByLabel('Mount').fill('Nonsense')
  await page.getByLabel('Released').fill('soon')
  await page.getByRole('button', { name: 'Add gear' }).click()
  await page.getByText('isn\'t a mount in the catalogue').first().waitFor()
  await page.getByText('isn\'t a number').first().waitFor()
  await page.getByLabel('Mount').fill('Canon RF')
  await page.getByLabel('Released').fill('2026')
  await page.getByLabel('Launch price').fill('2499')
  await page.getByLabel('Other names').fill('P9')
  await page.getByRole('button', { name: 'Add gear' }).click()
  await page.waitForURL('**/admin/catalog/canon/prototype-nine')
  await page.getByText('You added this').waitFor()
  await check(page, wrong)
  await page.goto(`${site.url}/gear/canon/prototype-nine`)
  await page.getByText('Launch price').first().waitFor()
  await page.goto(`${site.url}/admin/catalog/export`)
  await page.getByText('prototype-nine').waitFor()
  await check(page, wrong)

  await page.goto(`${site.url}/admin/imports`)
  await check(page, wrong)
  const file = join(mkdtempSync(join(tmpdir(), 'import-')), 'products_export.csv')
  writeFileSync(file, shop)
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByLabel('Default location').selectOption('DE')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('nothing to match').waitFor()
  await check(page, wrong)
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByRole('link', { name: 'Download rejected rows' }).waitFor()
  await page.getByText('Done.').waitFor()
  await check(page, wrong)
  const [listing] = (await (await fetch(`${site.url}/api/listings/search?model=canon/prototype-nine`)).json()).listings
  assert.equal(listing.condition, 'excellent')
  assert.equal(listing.price.amount, '1499.00')
  await page.goto(`${site.url}/admin/imports`)
  await check(page, wrong)

  await page.goto(`${site.url}/admin/catalog/canon/prototype-nine`)
  await page.getByRole('button', { name: 'Remove gear' }).click()
  await page.getByText("can't remove this model").first().waitFor()
  assert.deepEqual(wrong.filter((w) => !/409|422|400/.test(w)), [])
})
