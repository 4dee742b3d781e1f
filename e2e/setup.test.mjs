// Plays the owner of an empty site: setup, brand, and what visitors then see.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { patience, posture, settle, startBrowser, watch } from './browser.mjs'
import { startSite, top } from './site.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let site, browser

before(async () => {
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// check asserts that a page has no fault of layout, policy or accessibility.
async function check(page, wrong) {
  await settle(page)
  assert.deepEqual([...wrong, ...(await posture(page))], [], page.url())
  await page.evaluate(axe)
  const { violations } = await page.evaluate((values) => globalThis.axe.run({ runOnly: { type: 'tag', values } }), rules)
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html}`), [], page.url())
  if (process.env.SHOTS) {
    const { width } = page.viewportSize()
    await page.screenshot({ path: `${process.env.SHOTS}/${new URL(page.url()).pathname.replaceAll('/', '-')}-${width}.png`, fullPage: true })
  }
}

test('the owner sets up the site and makes it theirs', { timeout: 2 * patience }, async () => {
  const link = site.run(['setup']).trim().replace(/^http:\/\/[^/]+/, site.url)
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  const page = await context.newPage()
  const wrong = await watch(page, site)

  await page.goto(link)
  await check(page, wrong)
  await page.getByLabel('Name of the site').fill('Foto Ecke')
  await page.getByLabel('Your name').fill('Ada Ortega')
  await page.getByLabel('Handle').fill('ada')
  await page.getByLabel('E-mail address').fill('ada@example.org')
  await page.getByLabel('Password').fill('four words in a row')
  await page.getByRole('button', { name: 'Set up the site' }).click()
  await page.waitForURL('**/admin/checklist')
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
  await page.getByRole('button', { name: 'Save picture' }).first().click()
  await page.getByText('The picture is changed.').waitFor()

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
