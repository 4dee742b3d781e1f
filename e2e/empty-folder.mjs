// Makes a shop and a portfolio from an empty folder in a browser alone, without a shell after the start:
// setup, look, email, a member, 40 photographs in rows, a gallery with a client's selection, a table from
// a German Excel with its photographs, and a backup that was restored. Then it follows every link. A
// screenshot of each step goes to e2e/test-results/empty-folder.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { check, forgive, patience, startBrowser, watch } from './browser.mjs'
import { crawl } from './crawl.mjs'
import { startMail } from './mail.mjs'
import { setUp } from './members.mjs'
import { heics, large as largePhotograph, photographs, withVideo } from './photographs.mjs'
import { startSite, top } from './site.mjs'

const desktop = { viewport: { width: 1440, height: 900 }, locale: 'en-GB' }
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true, locale: 'en-GB' }
const shots = process.env.SHOTS = join(top, 'e2e/test-results/empty-folder')
const password = 'amber lens quartet'

let site, browser, mail, folder, owner, wrong
let steps = 0

before(async () => {
  rmSync(shots, { recursive: true, force: true })
  mkdirSync(shots, { recursive: true })
  folder = mkdtempSync(join(tmpdir(), 'secondlight-owner-'))
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
  mail = await startMail()
  owner = await (await browser.newContext(desktop)).newPage()
  wrong = await watch(owner, site)
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  mail?.stop()
  await site?.stop()
  rmSync(folder, { recursive: true, force: true })
})

// step is a test that is skipped if one before it has failed, because each works with what those before
// it have made.
let failed = false
const step = (name, minutes, run) => test(name, { timeout: minutes * patience }, async (t) => {
  if (failed) return t.skip('a step before it has failed')
  failed = true
  await run(t)
  failed = false
})

// look checks the page of a step and takes its picture.
const look = async (page, faults, name) => {
  await forgive(page)
  await check(page, faults, `${String(++steps).padStart(2, '0')}-${name}`)
}

// go opens a page of the owner.
const go = (path) => owner.goto(site.url + path)

const press = (name) => owner.getByRole('main').getByRole('button', { name, exact: true }).click()

// store writes a file and returns its path.
const store = (name, body) => {
  writeFileSync(join(folder, name), body)
  return join(folder, name)
}

step('the site is set up with the link that its log shows', 2, async () => {
  const [, link] = site.log().match(/link="(\S+)"/)
  await setUp(site, owner, () => look(owner, wrong, 'setup'), link)
  await look(owner, wrong, 'checklist')
})

step('the owner chooses its colours by mouse', 2, async () => {
  await go('/admin/look')
  for (const [i, colour] of ['Blue', 'Blue'].entries()) await owner.locator('.accent').nth(i).getByRole('button', { name: colour }).click()
  await owner.waitForFunction(() => document.querySelector('.stage iframe').contentDocument?.documentElement?.style.getPropertyValue('--safelight') === '#1f5fae')
  await press('Save changes')
  await owner.getByText('Your changes are live.').waitFor()
  await owner.getByLabel('Logo').setInputFiles(`${top}content/portfolio/far-from-home/nagasaki-boats.jpg`)
  await owner.getByRole('button', { name: 'Save image' }).first().click()
  await owner.getByText('Image saved.').waitFor()
  await look(owner, wrong, 'look')
})

step('email is set up, and a member signs up with the email that arrives', 2, async () => {
  await go('/admin/mail')
  await owner.locator('#mail-server').getByLabel('Server').fill('127.0.0.1')
  await owner.getByLabel('Port').fill(String(mail.port))
  await owner.getByLabel('Sender').fill('shop@example.org')
  await press('Check and save')
  await owner.getByRole('button', { name: 'Send me a test email' }).click()
  await mail.waitFor(({ to }) => to === 'ada@example.org')
  await look(owner, wrong, 'email')

  const context = await browser.newContext(phone)
  const member = await context.newPage()
  const faults = await watch(member, site)
  await member.goto(`${site.url}/sign-up`)
  await member.getByLabel('Email address').fill('ben@example.org')
  await member.getByLabel('Password').fill('another four words here')
  await member.getByLabel('Username').fill('ben')
  await look(member, faults, 'sign-up')
  await member.getByRole('main').getByRole('button', { name: 'Create an account' }).click()
  const { text } = await mail.waitFor(({ to }) => to === 'ben@example.org')
  const link = new URL(text.match(/https?:\/\/[^\s"<>]*confirm[^\s"<>]*/)[0])
  await member.goto(site.url + link.pathname + link.search)
  await member.getByRole('main').getByRole('button', { name: 'Confirm and sign in' }).click()
  await member.waitForURL((url) => !url.pathname.startsWith('/sign-up'))
  await look(member, faults, 'signed-up')
  await context.close()
})

// files returns 40 photographs as phones and cameras make them: 10 HEIC, 2 of 60 megapixels, and a motion photo.
async function files() {
  const jpegs = (await photographs(browser, 28)).map((jpeg, i) => [`IMG_${1000 + i}.JPG`, i === 0 ? withVideo(jpeg) : jpeg])
  const large = await Promise.all([0, 1].map(async (i) => [`_DSC${4000 + i}.JPG`, await largePhotograph(browser, i)]))
  return [...jpegs, ...heics().map((heic, i) => [`IMG_${2000 + i}.HEIC`, heic]), ...large].map(([name, body]) => store(name, body))
}

step('40 photographs are uploaded and laid out in rows', 10, async () => {
  const paths = await files()
  await go('/account/portfolio')
  await owner.getByLabel('New project').fill('Harbours')
  await press('Create project')
  await owner.getByLabel('Add photographs').setInputFiles(paths)
  await owner.locator('ol.prints > li').nth(39).waitFor({ timeout: 5 * patience })
  assert.equal(await owner.locator('ol.prints > li').count(), 40)
  assert.deepEqual(await owner.locator('.uploads li:has(.fault)').allTextContents(), [])
  for (const [i, layout] of [[2, 'full'], [3, 'pair'], [5, 'triptych']]) {
    await owner.locator(`#photo-${i} .thumb`).click()
    const answer = owner.waitForResponse((response) => ['PUT', 'PATCH'].includes(response.request().method()))
    await owner.locator(`#photo-${i}`).getByLabel('Row on the page').selectOption(layout)
    assert.equal((await answer).status(), 200)
  }
  await look(owner, wrong, 'editor')
  await owner.reload()
  await owner.getByRole('button', { name: 'Publish' }).click()
  await owner.goto(`${site.url}/portfolio/harbours`)
  await look(owner, wrong, 'project')
})

step('a client chooses photographs in a gallery', 5, async () => {
  await go('/account/portfolio')
  await owner.getByLabel('New project').fill('Wedding of Ida')
  await press('Create project')
  await owner.getByLabel('Add photographs').setInputFiles((await photographs(browser, 6)).map((jpeg, i) => store(`DSCF${7000 + i}.JPG`, jpeg)))
  await owner.locator('ol.prints > li').nth(5).waitFor({ timeout: patience })
  await owner.getByRole('link', { name: 'Client gallery' }).click()
  await owner.getByLabel('Password for clients').fill(password)
  await press('Create gallery')
  const address = await owner.getByRole('link', { name: '/galleries/' }).getAttribute('href')

  const context = await browser.newContext(phone)
  const client = await context.newPage()
  const faults = await watch(client, site)
  await client.goto(new URL(new URL(address).pathname, site.url).href)
  await client.getByLabel('Your name').fill('Ida')
  await client.getByLabel('Password').fill(password)
  await client.getByRole('button', { name: 'Open gallery' }).click()
  for (const i of [0, 2, 4]) {
    const answer = client.waitForResponse((response) => response.url().endsWith('/photos/favourites') && response.ok())
    await client.locator('.heart input[type=checkbox]').nth(i).check({ force: true })
    await answer
  }
  await client.getByText('Your selection (3 favourites)').waitFor()
  await look(client, faults, 'gallery')
  await context.close()
  await owner.reload()
  assert.equal((await owner.getByLabel('File names for Lightroom').inputValue()).split(', ').length, 3)
  await look(owner, wrong, 'selection')
})

// excel is a table as a German Excel saves it: Windows-1252, semicolons and decimal commas.
const excel = Buffer.from(['Artikelnr;Bezeichnung;Preis;Beschreibung;Bilder', 'A-1;Leica M6;1.850,00;Gehäuse mit Gebrauchsspuren, läuft präzise;m6-1.jpg,m6-2.jpg',
  'A-2;Canon EOS R6;899,50;Schöner Zustand;r6.jpg', 'A-3;Nikon FM2;"229,90";Für Einsteiger;', ''].join('\r\n'), 'latin1')

step('a table from Excel is imported with its photographs', 5, async () => {
  const names = ['m6-1.jpg', 'm6-2.jpg', 'r6.jpg']
  const paths = (await photographs(browser, 3)).map((jpeg, i) => store(names[i], jpeg))
  execFileSync('zip', ['-q', '-j', join(folder, 'fotos.zip'), ...paths])
  await go('/admin/imports')
  await owner.getByLabel('CSV file').setInputFiles(store('bestand.csv', excel))
  await owner.getByLabel('Photos in a ZIP file (optional)').setInputFiles(join(folder, 'fotos.zip'))
  await look(owner, wrong, 'import')
  await press('Continue')
  await owner.getByRole('button', { name: 'Start import' }).waitFor()
  for (const [column, meaning] of [['Artikelnr', 'external_id'], ['Bezeichnung', 'title'], ['Preis', 'price'], ['Beschreibung', 'description'], ['Bilder', 'photos']]) await owner.getByLabel(column).selectOption(meaning)
  await owner.getByText('Gehäuse mit Gebrauchsspuren, läuft präzise').waitFor()
  await look(owner, wrong, 'import-columns')
  await press('Start import')
  await owner.locator('#import-progress[data-status=done]').waitFor()
  await look(owner, wrong, 'import-done')
  await go('/listings')
  for (const price of ['1,850', '899.50', '229.90']) await owner.getByText(price).first().waitFor()
  await look(owner, wrong, 'listings')
  await owner.getByRole('link', { name: 'Leica M6' }).first().click()
  await owner.getByText('läuft präzise').waitFor()
  await look(owner, wrong, 'listing')
})

step('a nightly backup is made and restored', 5, async () => {
  await go('/admin/backups')
  await owner.getByLabel('Make a backup every night at 3').check()
  await press('Save')
  await owner.getByText('Backup settings saved.').waitFor()
  await go('/admin/jobs')
  await owner.getByRole('button', { name: 'Run now: Nightly backup' }).click()
  await go('/admin/backups')
  await owner.waitForFunction(() => document.body.textContent.includes('A restore was tried') || setTimeout(() => location.reload(), 1000) && false, null, { polling: 2000 })
  await look(owner, wrong, 'backup')
})

step('no link of it is dead, and its pages have no faults', 5, async () => {
  const { dead, pages } = await crawl(site)
  assert.deepEqual(dead, [])
  assert.ok(pages.size > 80, `${pages.size} pages`)
  for (const [name, settings] of Object.entries({ phone, desktop })) {
    const context = await browser.newContext(settings)
    const visitor = await context.newPage()
    const faults = await watch(visitor, site)
    for (const path of ['/', '/portfolio', '/portfolio/harbours', '/listings']) {
      await visitor.goto(site.url + path)
      await look(visitor, faults, `visitor-${name}${path.replaceAll('/', '-')}`)
    }
    await context.close()
  }
  assert.ok(readdirSync(shots).length > 20)
})
