// Plays the owner of an empty folder until the site is theirs: setup, brand, photographs, a
// project, texts, kit and a first listing. Then a visitor follows every link.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { check, forgive, patience, startBrowser, watch } from './browser.mjs'
import { crawl } from './crawl.mjs'
import { setUp } from './members.mjs'
import { photographs, sidecar, withXMP } from './photographs.mjs'
import { startSite } from './site.mjs'

const desktop = { viewport: { width: 1440, height: 900 }, locale: 'en' }
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true, colorScheme: 'dark', locale: 'en' }

// Names of files as people have them; the others are called IMG_0042.JPG and so on.
const odd = ['Küste am Morgen.jpg', 'Hafen 🌊 2.jpg', 'Straße & Meer (1).jpeg', '100% Nebel #3.jpg', `O'Hara "Pier".jpg`, 'u\u0308ber Nacht.jpg', 'a+b;c=d,e.jpg', '-- ?.JPG']

let site, browser, folder, state

before(async () => {
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
  folder = mkdtempSync(join(tmpdir(), 'secondlight-owner-'))
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
  rmSync(folder, { recursive: true, force: true })
})

// store writes files and returns their paths.
const store = (files) => files.map(([name, body]) => {
  writeFileSync(join(folder, name), body)
  return join(folder, name)
})

// saved does something and waits until the server has stored it.
async function saved(page, act) {
  const answer = page.waitForResponse((response) => ['PUT', 'PATCH'].includes(response.request().method()))
  await act()
  assert.equal((await answer).status(), 200)
}

// publish writes the text that an editor shows, and publishes it.
async function publish(page, text) {
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(text)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Your version is live.').waitFor()
}

test('an owner makes an empty site theirs', { timeout: 5 * patience }, async () => {
  const context = await browser.newContext(desktop)
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await setUp(site, page)
  state = await context.storageState()
  const pictures = await photographs(browser, 40)

  await page.goto(`${site.url}/admin/site`)
  await page.getByLabel('Tagline').fill('Leica and Rollei, serviced')
  await page.getByLabel('Postal address').fill('Hafenstrasse 1, 4057 Basel')
  await page.getByLabel('Public email address').fill('hello@example.org')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your changes are live.').waitFor()
  await page.goto(`${site.url}/admin/look`)
  await page.locator('.accent').first().getByRole('button', { name: 'Blue' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your changes are live.').waitFor()
  await page.getByLabel('Logo').setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: pictures[0] })
  await page.getByRole('button', { name: 'Save image' }).first().click()
  await page.getByText('Image saved.').waitFor()

  // 40 photographs, a sidecar, a RAW file and a broken one.
  await page.goto(`${site.url}/account/portfolio`)
  await page.getByLabel('New project').fill('Harbours')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { level: 1, name: 'Harbours' }).waitFor()
  const names = pictures.map((_, i) => odd[i] ?? `IMG_${String(i + 30).padStart(4, '0')}.JPG`)
  const files = pictures.map((picture, i) => [names[i], i % 4 === 1 ? withXMP(picture, `Harbour no. ${i}`, `Low water on day ${i}.`) : picture])
  files.splice(9, 0, ['_DSC0815.NEF', 'II*\0'], ['half.jpg', pictures[3].subarray(0, 9000)])
  files.push([names[0].replace('.jpg', '.xmp'), sidecar('Morning on the coast', 'Before the fishermen.')])
  await page.getByLabel('Add photographs').setInputFiles(store(files))
  await page.locator('ol.prints > li').nth(39).waitFor({ timeout: 2 * patience })
  assert.equal(await page.locator('ol.prints > li').count(), 40)
  const refused = await page.locator('.uploads li:has(.fault)').allTextContents()
  assert.deepEqual(refused, ['_DSC0815.NEFThis is a RAW file. Export it as JPEG and add that file.', 'half.jpgThe file is incomplete or damaged. Export it again as JPEG.'])
  assert.deepEqual((await page.locator('ol.prints > li').evaluateAll((items) => items.map((item) => item.dataset.file.normalize()))).sort(), names.map((name) => name.normalize()).sort())
  const itemOf = (name) => page.locator(`.prints > li:has(input[name=title])`).filter({ hasText: name })
  assert.equal(await itemOf(names[0]).getByLabel('Title').getAttribute('placeholder'), 'Morning on the coast')

  // Texts, order, crop points and the cover, of files with odd names.
  for (const name of odd.slice(0, 5)) {
    await itemOf(name).locator('.thumb').click()
    await saved(page, () => itemOf(name).getByLabel('Description for people').fill(`Boats of ${name}`).then(() => itemOf(name).getByLabel('Caption').focus()))
  }
  const third = await page.locator('#photo-3').getAttribute('data-file')
  await page.locator('#photo-3 .thumb').click()
  await saved(page, () => page.locator('#photo-3').getByRole('button', { name: 'Move up' }).click())
  assert.equal(await page.locator('#photo-2').getAttribute('data-file'), third)
  await itemOf(odd[3]).locator('.thumb').click()
  const crop = itemOf(odd[3]).locator('.crop')
  await crop.scrollIntoViewIfNeeded()
  const { width, height } = await crop.boundingBox()
  await saved(page, () => crop.click({ position: { x: 0.3 * width, y: 0.7 * height } }))
  await saved(page, () => itemOf(odd[3]).getByRole('button', { name: 'Use as cover' }).click())
  await page.reload({ waitUntil: 'domcontentloaded' })
  assert.equal(await itemOf(odd[3]).getByLabel('% from top').inputValue(), '70')
  await forgive(page)
  wrong.splice(0, wrong.length, ...wrong.filter((what) => !what.endsWith('/uploads 400'))) // the files that were refused
  await check(page, wrong, 'project')
  await page.getByLabel('One-sentence summary').fill('Low water, from Basel to Bergen.')
  await page.locator('#project').getByLabel('Visible to').selectOption('public')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changes saved.').waitFor()

  // A journal entry, terms and imprint.
  await page.goto(`${site.url}/journal`)
  await page.getByRole('link', { name: 'Write an entry' }).click()
  await page.getByLabel('Title').fill('Winter on the coast')
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByLabel('Description for people').fill('A grey sea')
  await page.getByLabel('File').setInputFiles({ name: 'sea.jpg', mimeType: 'image/jpeg', buffer: pictures[5] })
  await page.locator('#preview img[alt="A grey sea"]').waitFor()
  const written = await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue()
  await publish(page, `Six weeks with **one** lens, for [Harbours](/portfolio/harbours).\n\n${written}`)
  for (const slug of ['terms', 'imprint']) {
    await page.goto(`${site.url}/admin/pages/pages/${slug}/en`)
    await publish(page, `## Foto Ecke\n\nThe ${slug} of Foto Ecke. Write to us by the [form](/contact).`)
  }

  // Kit, and the first listing.
  await page.goto(`${site.url}/account/kit/new`)
  await page.getByLabel('What is it?').fill('Leica M6')
  await page.getByRole('textbox', { name: 'Serial number' }).fill('SN-4711')
  await page.getByLabel("Show on the site's kit page").check()
  await page.locator('form.form [type=submit]').click()
  await page.waitForURL(/\/account\/kit\/[0-9a-f-]{36}$/)
  await page.goto(`${site.url}/sell`)
  await page.getByLabel('Add photos').setInputFiles(store(files.slice(0, 1)))
  await page.locator('.prints li').first().waitFor()
  await page.getByLabel('What are you selling?').fill('Canon EOS R6')
  await page.locator('.grade-cards label', { hasText: 'Excellent' }).click()
  await page.locator('label', { hasText: 'Fully working' }).click()
  await page.getByLabel('Price', { exact: true }).fill('1250')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.waitForURL('**/listings/*')
  await page.goto(`${site.url}/admin/checklist`)
  await check(page, wrong)
  await context.close()
})

test('an upload from a phone that broke off half-way goes on', { timeout: 2 * patience }, async () => {
  const context = await browser.newContext({ ...phone, storageState: state })
  const [large] = await photographs(browser, 1, { noise: true })
  assert.ok(large.length > 3 << 20, `${large.length} bytes`)
  const [file] = store([['From the phone.jpg', large]])
  const choose = async () => {
    const page = await context.newPage()
    await page.goto(`${site.url}/account/portfolio/harbours`)
    await page.getByLabel('Add photographs').setInputFiles(file)
    return page
  }
  let parts = 0
  await context.route('**/uploads', async (route) => {
    if (++parts === 4) await context.setOffline(true) // after its question and two parts
    await route.continue()
  })
  const before = await choose()
  await before.getByText('Waiting for connection').waitFor()
  await before.close() // the browser was closed, too
  await context.setOffline(false)

  const page = await choose()
  await page.locator('.uploads').getByText('Added').waitFor()
  assert.equal(parts - 4, 1 + Math.ceil(large.length / (1 << 20)) - 2, 'requests after the break')
  await page.locator('ol.prints > li').nth(40).waitFor()
  await context.close()
})

test('a visitor finds the site of the owner, and no dead link', { timeout: 4 * patience }, async () => {
  const { dead, pages } = await crawl(site)
  assert.deepEqual(dead, [])
  assert.ok(pages.size > 80, `${pages.size} pages`)
  const essays = /far-from-home|forms-of-life|Blossfeldt|honest-macro-lens|older-than-their-prices|Far from home|Forms of life|IMG[ _]00\d\d|SN-4711|ada@example|[> ]0 (used|cameras|completed)/i
  const of = [...pages].filter(([path, html]) => !/^\/(developers|docs)/.test(path) && essays.test(html)).map(([path, html]) => `${path}: ${html.match(essays)[0]}`)
  assert.deepEqual(of, [])
  for (const [path, text] of [['/', 'Leica and Rollei, serviced'], ['/portfolio', 'Low water, from Basel to Bergen.'], ['/portfolio/harbours', 'Boats of Hafen 🌊 2'], ['/portfolio/harbours/kuste-am-morgen', 'Morning on the coast'], ['/journal', 'Winter on the coast'], ['/terms', 'The terms of Foto Ecke'], ['/imprint', 'The imprint of Foto Ecke'], ['/kit', 'Leica M6'], ['/listings', 'Canon EOS R6']]) {
    assert.ok(pages.get(path)?.includes(text), `${path} lacks ${text}`)
  }

  // One page of each kind, narrow and wide by turns.
  const kinds = new Map([...pages.keys()].map((path) => [kindOf(path), path]))
  const visitors = []
  for (const settings of [phone, desktop]) {
    const page = await (await browser.newContext(settings)).newPage()
    visitors.push([page, await watch(page, site)])
  }
  for (const [i, path] of [...kinds.values()].entries()) {
    const [page, wrong] = visitors[i % 2]
    await page.goto(site.url + path)
    await check(page, wrong)
    const blank = await page.locator('img').evaluateAll((all) => all.filter((img) => !img.naturalWidth && img.checkVisibility()).map((img) => img.currentSrc))
    assert.deepEqual(blank, [], path)
  }
})

// kindOf returns the kind of page at a path: those of one kind are of one template.
function kindOf(path) {
  const [, section, ...rest] = path.split('?')[0].split('/')
  return [section, ...rest.map(() => '*'), path.includes('?') ? '?' : ''].join('/')
}
