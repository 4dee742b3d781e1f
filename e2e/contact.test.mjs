// Plays a visitor who writes to the owner without JavaScript, and the operator who answers,
// tests email and makes a backup.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check, patience, posture, settle, startBrowser, watch } from './browser.mjs'
import { join, signIn } from './members.mjs'
import { startSite } from './site.mjs'


let site, browser

before(async () => {
  site = await startSite()
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('a visitor writes without JavaScript, and nobody sees the trap', { timeout: patience }, async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site.url}/contact`)
  await page.getByLabel('Your name').fill('Vera Visitor')
  await page.getByLabel('Your email address').fill('vera@example.org')
  await page.getByLabel("What's it about?").selectOption('job')
  await page.getByLabel('Your message').fill('A wedding in May.\n\nAre you free?')
  const trap = await page.locator('div:has(> [name=website])').boundingBox()
  assert.ok(!trap || trap.width <= 2, 'the trap is visible')
  await page.getByRole('button', { name: 'Send message' }).click()
  if (page.url().endsWith('/contact')) { // faster than a person
    await page.getByText('Sent too quickly').waitFor()
    await new Promise((resolve) => { setTimeout(resolve, 3500) })
    await page.getByRole('button', { name: 'Send message' }).click()
  }
  await page.waitForURL('**/contact/sent')
})

for (const screen of [{ viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, { viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'de-DE' }]) {
  const name = `${screen.viewport.width}-${screen.colorScheme}`
  test(`the pages are accessible, ${name}`, { timeout: patience }, async () => {
    const page = await (await browser.newContext(screen)).newPage()
    const wrong = await watch(page, site)
    await page.goto(`${site.url}/contact?topic=print&about=/portfolio`)
    await check(page, wrong, `contact-${name}`)
    await signIn(page, site, join(site, `olga-${screen.viewport.width}`, { operator: true }))
    for (const at of ['contact', 'mail', 'backups']) {
      await page.goto(`${site.url}/admin/${at}`)
      await check(page, wrong, `admin-${at}-${name}`)
    }
  })
}

test('the operator reads the message, tests email and makes a backup', { timeout: patience }, async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true })
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await signIn(page, site, join(site, 'olga-owner', { operator: true }))
  await page.goto(`${site.url}/admin/contact`)
  await page.getByText('A wedding in May.').waitFor()
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await page.getByText('Message updated.').waitFor()
  await page.goto(`${site.url}/admin/mail`)
  await page.getByRole('button', { name: 'Send me a test email' }).click()
  await page.getByText('is on its way').waitFor()
  await page.goto(`${site.url}/admin/backups`)
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.waitForURL('**/admin/backups')
  for (let i = 0; i < 60 && await page.getByText('What a backup contains').count() > 0 && await page.getByRole('link', { name: /Download/ }).count() === 0; i++) {
    await new Promise((resolve) => { setTimeout(resolve, 1000) })
    await page.reload()
  }
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /Download/ }).first().click()])
  assert.match(download.suggestedFilename(), /^secondlight-.*\.zip$/)
  const [head] = await (await download.createReadStream()).take(1).toArray()
  assert.equal(head.subarray(0, 2).toString(), 'PK')
  await page.reload()
  await check(page, wrong, 'admin-backups-made')
  await page.locator('.rows summary').first().click()
  await page.getByRole('button', { name: 'Delete this backup' }).click()
  await page.getByText('Backup deleted.').waitFor()
})
