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
    'en-GB': { name: 'Your name', password: 'Password', open: 'Open gallery', favourite: 'Favourite', comment: 'Comment', save: 'Save', all: 'Download all' },
    'de-DE': { name: 'Dein Name', password: 'Passwort', open: 'Galerie öffnen', favourite: 'Favorit', comment: 'Kommentar', save: 'Speichern', all: 'Alle herunterladen' },
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
    const download = client.waitForEvent('download')
    await client.getByRole('link', { name: words.all }).click()
    const stored = `${top}/e2e/test-results/gallery-${locale}.zip`
    await (await download).saveAs(stored)
    const archive = readFileSync(stored)
    assert.equal(archive.toString('latin1').split('PK\u0001\u0002').length - 1, files.length, 'files in the archive')

    await client.locator('[data-view] > a').first().click()
    const viewer = client.getByRole('dialog')
    await viewer.waitFor()
    await client.keyboard.press('ArrowRight')
    await client.waitForFunction(() => document.querySelector('.viewer-slot[aria-hidden="false"] img:last-child')?.naturalWidth > 0)
    const photo = client.url()
    await client.goto(photo)
    await client.getByLabel(words.favourite).check()
    await client.getByLabel(words.comment).fill('Large, please')
    await client.getByRole('button', { name: words.save, exact: true }).click()
    await client.waitForURL(photo)
    assert.ok(await client.getByLabel(words.favourite).isChecked())
    await check(client, faults, `gallery-photo-${locale}`)
    assert.deepEqual(await client.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((r) => r.url)))).flat().filter((url) => url.includes('galler'))), [])
    const stranger = await (await browser.newContext()).newPage()
    assert.equal((await stranger.goto(photo)).status(), 404)
    await context.close()
  }

  await owner.reload()
  assert.equal((await owner.getByLabel('File names for Lightroom').inputValue()).split(/[\s,]+/).length, 1)
  await owner.getByRole('cell', { name: 'Large, please' }).first().waitFor()
  await check(owner, wrong, 'gallery-selection')
})
