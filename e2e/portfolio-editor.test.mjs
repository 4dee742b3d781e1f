// Plays an operator who makes a project of the portfolio in the browser: uploads that go on
// after a break, texts, order, and what visitors then see.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { patience, startBrowser } from './browser.mjs'
import { join, signIn } from './members.mjs'
import { startSite, top } from './site.mjs'

const folder = `${top}/content/portfolio/far-from-home`
const files = readdirSync(folder).filter((name) => name.endsWith('.jpg')).slice(0, 2).map((name) => `${folder}/${name}`)

let site, browser

before(async () => {
  site = await startSite()
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('an operator makes a project, and an upload that broke off goes on', { timeout: 2 * patience }, async () => {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await signIn(page, site, join(site, 'olga-portfolio', { operator: true }))
  await page.goto(`${site.url}/account/portfolio`)
  await page.getByLabel('New project').fill('Harbours')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { level: 1, name: 'Harbours' }).waitFor()

  let posts = 0
  await page.route('**/uploads', (route) => (++posts === 2 ? route.abort('connectionreset') : route.continue()))
  await page.getByLabel('Add photographs').setInputFiles(files)
  await page.locator('ol.prints > li').nth(1).waitFor({ timeout: patience })
  assert.equal(await page.locator('ol.prints > li').count(), 2)
  assert.ok(posts > 4, `${posts} requests`)

  await page.locator('#photo-2').getByRole('button', { name: 'Move up' }).click()
  await page.locator('#photo-1').getByLabel('Title').fill('The pier')
  await page.locator('#photo-1').getByLabel('Caption').fill('Low water in March.')
  await page.locator('#photo-1').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your changes are saved.').waitFor()
  assert.equal(await page.locator('#photo-1').getByLabel('Title').inputValue(), 'The pier')
  const visitor = await (await browser.newContext()).newPage()
  assert.equal((await visitor.goto(`${site.url}/portfolio/harbours`)).status(), 404, 'a project is private until it is published')
  await page.getByLabel('Visible to').selectOption('public')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your changes are saved.').waitFor()

  assert.equal((await visitor.goto(`${site.url}/portfolio/harbours`)).status(), 200)
  assert.match(await visitor.locator('main').textContent(), /The pier/)
  const picture = visitor.locator('main img').first()
  assert.equal(await picture.evaluate((img) => img.decode().then(() => img.naturalWidth > 0, (err) => `${img.currentSrc}: ${err.message}`)), true)
})
