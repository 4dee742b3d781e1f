// Plays an operator: the dashboard, members and roles, the audit trail and jobs, with and
// without JavaScript.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { patience, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { join, signIn } from './members.mjs'
import { startSite } from './site.mjs'

const pages = ['/admin', '/admin/members', '/admin/members?keyword=ann', '/admin/audit', '/admin/jobs', '/account/moderation', '/admin/site']

let site, browser, olga, ann

before(async () => {
  site = await startSite()
  browser = await startBrowser()
  ann = join(site, 'ann-photo')
  olga = join(site, 'olga-keeps', { operator: true })
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('every page of administration is sound, in both languages and lights', { timeout: 2 * patience }, async () => {
  for (const [locale, colorScheme, width] of [['en', 'light', 1440], ['de', 'dark', 390]]) {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, locale })
    const page = await context.newPage()
    await signIn(page, site, olga)
    const wrong = await watch(page, site)
    for (const path of pages) {
      await page.goto(site.url + path)
      await settle(page)
      assert.deepEqual([...wrong, ...(await posture(page))], [], page.url())
      assert.deepEqual(await violations(page), [], page.url())
      assert.equal(await page.locator('.rail [aria-current]').count(), 1, path)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${path.replaceAll(/[/?=]/g, '-')}-${locale}.png`, fullPage: true })
    }
    await context.close()
  }
})

test('an operator gives a role, suspends a member and runs a job without JavaScript', { timeout: 2 * patience }, async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' })
  const page = await context.newPage()
  await signIn(page, site, olga)
  await page.goto(`${site.url}/admin/members`)
  await page.getByLabel('Username, name or email address').fill('ann-photo')
  await page.locator('main').getByRole('button', { name: 'Search' }).click()
  await page.locator('.members select[name=role]').selectOption('moderator')
  await page.getByRole('button', { name: 'Set role' }).click()
  await page.getByText('Role changed.').waitFor()

  const theirs = await (await browser.newContext({ locale: 'en' })).newPage()
  await signIn(theirs, site, ann)
  assert.equal((await theirs.goto(`${site.url}/account/moderation`)).status(), 200)
  assert.deepEqual(await theirs.locator('.rail a').allTextContents(), ['Moderation', 'Sales to review', 'Audit log'])
  assert.equal((await theirs.goto(`${site.url}/admin/members`)).status(), 403)

  await page.locator('.members select[name=role]').selectOption('member')
  await page.getByRole('button', { name: 'Set role' }).click()
  await page.getByLabel('Reason, for the audit log').fill('Spam')
  await page.getByRole('button', { name: 'Suspend ann-photo' }).click()
  await page.getByText('Suspended since').waitFor()
  await page.getByRole('button', { name: 'Reinstate ann-photo' }).click()
  await page.getByRole('button', { name: 'Suspend ann-photo' }).waitFor()

  await page.goto(`${site.url}/admin/audit`)
  await page.getByLabel('Action').selectOption('set_role')
  await page.getByRole('button', { name: 'Show' }).click()
  assert.equal(await page.locator('main .rows > li').count(), 2)

  await page.goto(`${site.url}/admin/jobs`)
  await page.getByRole('button', { name: 'Run now: Storage' }).click()
  await page.getByText('Job started.').waitFor()
  await page.goto(`${site.url}/admin`)
  await page.getByRole('rowheader', { name: 'bulk' }).waitFor()
  await context.close()
})
