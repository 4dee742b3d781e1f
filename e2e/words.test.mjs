// Plays the owner of an empty site who writes: terms, a journal entry with a picture, and what
// visitors then read, with JavaScript and without.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check, hold, patience, startBrowser, watch } from './browser.mjs'
import { setUp } from './members.mjs'
import { startSite, top } from './site.mjs'

let site, browser, state

before(async () => {
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
  const context = await browser.newContext()
  const page = await context.newPage()
  await setUp(site, page)
  state = await context.storageState()
  await context.close()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// checkScreens checks a page narrow and wide, in both lights.
async function checkScreens(page, wrong, name) {
  for (const [width, height, colorScheme] of [[390, 844, 'dark'], [1440, 900, 'light'], [390, 844, 'light'], [1440, 900, 'dark']]) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await check(page, wrong, `${name}-${colorScheme}`)
  }
}

for (const javaScriptEnabled of [true, false]) {
  test(`the owner writes ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, { timeout: 3 * patience }, async () => {
    const context = await browser.newContext({ storageState: state, javaScriptEnabled })
    const page = await context.newPage()
    const wrong = await watch(page, site)
    const look = (name) => (javaScriptEnabled ? checkScreens(page, wrong, name) : undefined)
    const title = javaScriptEnabled ? 'Winter on the coast' : 'Spring on the coast'

    await page.goto(`${site.url}/journal`)
    if (javaScriptEnabled) {
      await look('journal-empty')
      await page.getByRole('link', { name: 'Write an entry' }).click()
    } else {
      await page.goto(`${site.url}/admin/pages`)
    }
    await look('texts')
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Start writing' }).click()
    await page.getByLabel('One-sentence summary').fill('Six weeks with one lens.')
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Six weeks with **one** lens.\n\n## What broke\n\nSee the [list](/journal/lenses) and the [prices](/gear).')
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('#preview strong', { hasText: 'one' }).waitFor()
    await page.locator('#warnings [data-code=broken_link]', { hasText: '/journal/lenses' }).waitFor()
    await page.getByLabel('Description for people').fill('A grey sea')
    await page.getByLabel('File').setInputFiles(`${top}/docs/gear.jpg`)
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Add image' }).click()
    await page.locator('#preview img[alt="A grey sea"]').waitFor()
    await look('text')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Changes saved.').waitFor()
    await page.getByText('Your version is live.').waitFor()

    await page.getByLabel('Address', { exact: true }).fill(`${title} again`)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Changes saved.').waitFor()
    await look('text-saved')
    const old = await fetch(`${site.url}/journal/${title.toLowerCase().replaceAll(' ', '-')}`, { redirect: 'manual' })
    assert.equal(old.status, 301)
    await page.goto(new URL(old.headers.get('location'), site.url).href)
    assert.equal(await page.locator('article img[alt="A grey sea"]').count(), 1)
    await look('entry')
    await context.close()
  })
}

test('a picture that is chosen before the script runs is uploaded', { timeout: 2 * patience }, async () => {
  const context = await browser.newContext({ storageState: state })
  const page = await context.newPage()
  const release = await hold(page, 'texts')
  await page.goto(`${site.url}/admin/pages`)
  await page.getByLabel('Title').fill('Autumn on the coast')
  await page.getByRole('button', { name: 'Start writing' }).click()
  await page.getByLabel('Description for people').fill('A grey sea')
  await page.getByLabel('File').setInputFiles(`${top}/docs/gear.jpg`)
  release()
  await page.locator('#preview img[alt="A grey sea"]').waitFor()
  await context.close()
})
