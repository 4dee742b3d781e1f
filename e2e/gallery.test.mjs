// Delivers a project to clients in a browser: the owner gives it a password, a client enters it on
// a phone, looks at the photographs in the viewer, chooses some and downloads all, and the owner
// takes out the selection. A stranger gets nothing, and neither does the copy for use offline.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { check, patience, startBrowser, watch } from './browser.mjs'
import { join, signIn } from './members.mjs'
import { startSite, top } from './site.mjs'

const folder = `${top}/content/portfolio/far-from-home`
const files = readdirSync(folder).filter((name) => name.endsWith('.jpg')).map((name) => `${folder}/${name}`).slice(0, 3)

let site, browser

before(async () => {
  site = await startSite()
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

const hearts = (page) => page.locator('.heart input[type=checkbox]')
const stored = (page) => page.waitForResponse((answer) => answer.url().endsWith('/photos/favourites') && answer.ok())

// chooseFavourites clicks hearts, without a page load, in the page and in the viewer, and takes
// one back. Two are left.
async function chooseFavourites(page, words) {
  await page.evaluate(() => (globalThis.samePage = true))
  for (let i = 0; i < files.length; i++) {
    const answer = stored(page)
    await hearts(page).nth(i).check({ force: true })
    await answer
  }
  await page.locator('[data-view] > a').nth(1).click()
  await page.getByRole('dialog').waitFor()
  const heart = page.getByRole('dialog').getByRole('button', { name: words.favourite })
  assert.equal(await heart.getAttribute('aria-pressed'), 'true')
  const answer = stored(page)
  await heart.click()
  await answer
  assert.equal(await heart.getAttribute('aria-pressed'), 'false')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByText(words.chosen).waitFor()
  assert.deepEqual(await hearts(page).evaluateAll((all) => all.map((box) => box.checked)), [true, false, true])
  assert.ok(await page.evaluate(() => globalThis.samePage), 'the page was loaded again')

  await page.route('**/photos/favourites', (route) => route.abort()) // no connection
  await hearts(page).nth(1).check({ force: true })
  await page.waitForFunction(() => !document.querySelectorAll('.heart input[type=checkbox]')[1].checked)
  await page.unroute('**/photos/favourites')
  await page.reload()
  assert.deepEqual(await hearts(page).evaluateAll((all) => all.map((box) => box.checked)), [true, false, true])
}

// chooseWithoutScript marks several hearts and saves them with one button.
async function chooseWithoutScript(storageState, address, locale, words) {
  const context = await browser.newContext({ storageState, locale, javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(address)
  for (const i of [0, 1]) await hearts(page).nth(i).check({ force: true })
  await page.getByRole('button', { name: words.keep }).click()
  await page.waitForURL(address)
  for (const i of [0, 1, 2]) assert.ok(await hearts(page).nth(i).isChecked())
  for (const i of [0, 2]) await hearts(page).nth(i).uncheck({ force: true })
  await page.getByRole('button', { name: words.keep }).click()
  await page.waitForURL(address)
  assert.equal(await page.locator('.heart :checked').count(), 1)
  await context.close()
}

test('a project is delivered to clients, and their selection comes back', { timeout: 2 * patience }, async () => {
  const owner = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  const wrong = await watch(owner, site)
  await signIn(owner, site, join(site, 'gerda-photo', { operator: true }))
  await owner.goto(`${site.url}/account/portfolio`)
  await owner.getByLabel('New project').fill('Wedding of Ida')
  await owner.getByRole('button', { name: 'Create project' }).click()
  await owner.getByLabel('Add photographs').setInputFiles(files)
  await owner.locator('ol.prints > li').nth(2).waitFor({ timeout: patience })
  await owner.getByRole('link', { name: 'Client gallery' }).click()
  await owner.getByLabel('Password for clients').fill('amber lens quartet')
  await owner.getByRole('button', { name: 'Create gallery' }).click()
  const address = await owner.getByRole('link', { name: '/galleries/' }).getAttribute('href')
  await check(owner, wrong, 'gallery-owner')

  for (const [locale, words] of Object.entries({
    'en-GB': { name: 'Your name', password: 'Password', open: 'Open gallery', favourite: 'Favourite', comment: 'Comment', save: 'Save', originals: 'Originals (ZIP)', web: 'Web size (ZIP)', chosen: 'Your selection (2 favourites)', keep: 'Save favourites' },
    'de-DE': { name: 'Dein Name', password: 'Passwort', open: 'Galerie öffnen', favourite: 'Favorit', comment: 'Kommentar', save: 'Speichern', originals: 'Originale (ZIP)', web: 'Webgröße (ZIP)', chosen: 'Deine Auswahl (2 Favoriten)', keep: 'Favoriten speichern' },
  })) {
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 844 }, acceptDownloads: true })
    const client = await context.newPage()
    const faults = await watch(client, site)
    await client.goto(new URL(address, site.url).href)
    await check(client, faults, `gallery-locked-${locale}`)
    await client.getByLabel(words.name).fill(`Ida ${locale}`)
    await client.getByLabel(words.password).fill('amber lens quartet')
    await client.getByRole('button', { name: words.open }).click()
    await client.getByRole('heading', { level: 1, name: 'Wedding of Ida' }).waitFor()
    await check(client, faults, `gallery-${locale}`)
    const sizes = {}
    for (const name of [words.originals, words.web]) {
      const download = client.waitForEvent('download')
      await client.getByRole('link', { name }).click()
      const stored = `${top}/e2e/test-results/gallery-${locale}.zip`
      await (await download).saveAs(stored)
      const archive = readFileSync(stored)
      assert.equal(archive.toString('latin1').split('PK\u0001\u0002').length - 1, files.length, 'files in the archive')
      sizes[name] = archive.length
    }
    assert.notEqual(sizes[words.originals], sizes[words.web])
    await chooseFavourites(client, words)
    faults.splice(0, faults.length, ...faults.filter((what) => !what.endsWith('/photos/favourites net::ERR_FAILED'))) // without a connection
    await check(client, faults, `gallery-chosen-${locale}`)

    await client.locator('[data-view] > a').first().click()
    const viewer = client.getByRole('dialog')
    await viewer.waitFor()
    await client.keyboard.press('ArrowRight')
    await client.waitForFunction(() => document.querySelector('.viewer-slot[aria-hidden="false"] img:last-child')?.naturalWidth > 0)
    const photo = client.url()
    await client.goto(photo)
    await client.getByLabel(words.favourite, { exact: true }).check()
    await client.getByLabel(words.comment).fill('Large, please')
    await client.getByRole('button', { name: words.save, exact: true }).click()
    await client.waitForURL(photo)
    assert.ok(await client.getByLabel(words.favourite, { exact: true }).isChecked())
    await check(client, faults, `gallery-photo-${locale}`)
    assert.deepEqual(await client.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((r) => r.url)))).flat().filter((url) => url.includes('galler'))), [])
    const stranger = await (await browser.newContext()).newPage()
    assert.equal((await stranger.goto(photo)).status(), 404)
    await chooseWithoutScript(await context.storageState(), new URL(address, site.url).href, locale, words)
    await context.close()
  }

  await owner.reload()
  assert.equal((await owner.getByLabel('File names for Lightroom').inputValue()).split(/[\s,]+/).length, 1)
  await owner.getByRole('cell', { name: 'Large, please' }).first().waitFor()
  await check(owner, wrong, 'gallery-selection')
})
