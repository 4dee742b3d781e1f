// Sells a camera on one page: from signing up to the published listing, with few clicks,
// mistakes and all, with and without JavaScript, on a phone and on a desktop.
import assert from 'node:assert/strict'
import { join as path } from 'node:path'
import { after, before, test } from 'node:test'
import { forgive, hold, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { mailedLink } from './outbox.mjs'
import { startSite, top } from './site.mjs'

const photos = ['nagasaki-boats', 'airplane-from-above'].map((name) => `${top}content/portfolio/far-from-home/${name}.jpg`)
const seller = { email: 'sue@example.org', password: 'four words in a row' }

let site, browser, sue, api

before(async () => {
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
  sue = join(site, 'sue-sells')
  api = apiOf(site, tokenOf(site, sue))
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

for (const [device, viewport] of [['phone', { width: 390, height: 844 }], ['desktop', { width: 1440, height: 900 }]]) {
  for (const javaScriptEnabled of [true, false]) {
    const how = `on a ${device}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`
    const state = [['with box', 'boxed'], ['like new', 'barely used']][Number(device === 'desktop')][Number(javaScriptEnabled)] // a title has no other words
    const colorScheme = device === 'phone' ? 'dark' : 'light'
    const open = async () => {
      const context = await browser.newContext({ viewport, javaScriptEnabled, colorScheme })
      const page = await context.newPage()
      return { context, page, wrong: await watch(page, site) }
    }

    test(`selling leads to an account and back ${how}`, { timeout: 600_000 }, async () => {
      const { context, page, wrong } = await open()
      const email = `new-${device}-${javaScriptEnabled}@example.org`
      await page.goto(`${site.url}/sell`)
      await page.waitForURL('**/sign-in?next=%2Fsell')
      await page.getByRole('link', { name: 'Create an account' }).click()
      await page.getByLabel('Username').fill(`new-${device}-${javaScriptEnabled}`)
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password').fill(seller.password)
      await page.getByRole('button', { name: 'Create an account' }).click()
      await page.waitForURL('**/sign-up/sent')
      await page.goto(site.url + await mailedLink(path(site.folder, 'outbox'), email, '/sign-up/confirm'))
      await page.getByRole('button', { name: 'Confirm and sign in' }).click()
      await page.waitForURL('**/sell')
      assert.equal(await page.getByLabel('What are you selling?').count(), 1)
      assert.deepEqual(wrong, [])
      await context.close()
    })

    test(`a known camera is published with at most six clicks ${how}`, { timeout: 600_000 }, async () => {
      const { context, page, wrong } = await open()
      await signIn(page, site, sue)
      await page.goto(`${site.url}/sell`)
      let clicks = 0
      const click = async (what) => {
        clicks++
        await what.click()
      }
      const chooser = page.waitForEvent('filechooser')
      await click(page.getByLabel('Add photos'))
      await (await chooser).setFiles(photos)
      if (javaScriptEnabled) await page.locator('.prints li').nth(1).waitFor()
      await click(page.getByLabel('What are you selling?'))
      await page.keyboard.type(`Canon EOS R6 ${state}`)
      await click(page.locator('.grade-cards label', { hasText: 'Excellent' }))
      await click(page.locator('label', { hasText: 'Fully working' }))
      if (javaScriptEnabled) {
        await page.getByRole('heading', { name: 'What to ask for: Canon EOS R6, excellent' }).waitFor()
        await page.locator('[data-saved]', { hasText: 'Draft saved' }).waitFor()
        await forgive(page) // the page grew by what was added to it
        wrong.push(...(await violations(page, 'main')))
        await click(page.getByRole('button', { name: /^Use €/ }).nth(1))
        assert.match(await page.getByLabel('Price', { exact: true }).inputValue(), /^\d+$/)
      } else {
        await click(page.getByLabel('Price', { exact: true }))
        await page.keyboard.type('€1,250')
      }
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sell-${device}-${javaScriptEnabled}.png`, fullPage: true })
      await click(page.getByRole('button', { name: 'Publish' }))
      await page.waitForURL('**/listings/*')
      assert.ok(clicks <= 6, `${clicks} clicks`)
      const listing = await api('GET', `/api${new URL(page.url()).pathname}`)
      assert.deepEqual([listing.status, listing.gear, listing.condition, listing.region, listing.photos.length], ['active', 'canon/eos-r6', 'excellent', 'DE', 2])
      await settle(page)
      wrong.push(...(await posture(page)))
      assert.deepEqual(wrong, [])
      await context.close()
    })

    test(`two mistakes have two messages ${how}`, { timeout: 600_000 }, async () => {
      const { context, page, wrong } = await open()
      await signIn(page, site, sue)
      await page.goto(`${site.url}/sell`)
      await page.getByLabel('What are you selling?').fill(`Canon EOS R6 ${state}`)
      await page.locator('.grade-cards label', { hasText: 'Well used' }).click()
      await page.locator('label', { hasText: 'Fully working' }).click()
      await page.getByLabel('Shutter count').fill('many')
      await page.getByLabel('Price', { exact: true }).fill('plenty')
      await page.getByRole('textbox', { name: /^Description/ }).fill('Typed, and not to be lost.')
      const publish = async (refused) => {
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await page.locator('.refused').filter({ hasText: refused }).waitFor()
      }
      await publish('Check th')
      for (const [label, message] of [['Shutter count', /whole number/], ['Price', /isn't an amount/]]) {
        const field = page.locator('.field', { has: page.getByLabel(label, { exact: label === 'Price' }) }).last()
        assert.match(await field.locator('.fault').textContent(), message)
      }
      assert.equal(await page.locator('form.sell .fault').count(), 2)
      assert.equal(await page.locator('.refused a').count(), 2)
      assert.equal(await page.locator(':focus').getAttribute('name'), 'shutter_count')
      assert.equal(await page.getByRole('textbox', { name: /^Description/ }).inputValue(), 'Typed, and not to be lost.')
      if (javaScriptEnabled) wrong.push(...(await violations(page, 'main')))
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sell-wrong-${device}-${javaScriptEnabled}.png`, fullPage: true })
      await page.locator('.refused a').last().click()
      assert.equal(new URL(page.url()).hash, '#save-listing-price')

      // Numbers as people write them; and no photo, which is asked about.
      await page.getByLabel('Shutter count').fill('12,400')
      await page.getByLabel('Price', { exact: true }).fill('1.250,00')
      await publish('Publish without photos?')
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sell-asks-${device}-${javaScriptEnabled}.png` })
      await page.getByRole('button', { name: 'Publish without photos' }).click()
      await page.waitForURL('**/listings/*')
      const listing = await api('GET', `/api${new URL(page.url()).pathname}`)
      assert.deepEqual([listing.shutter_count, listing.price.amount, listing.description], [12400, '1250.00', 'Typed, and not to be lost.'])
      wrong.splice(0, wrong.length, ...wrong.filter((what) => !what.endsWith(' 400'))) // what was saved with mistakes
      assert.deepEqual(wrong, [])
      await context.close()
    })

    test(`a draft is continued ${how}`, { timeout: 600_000 }, async () => {
      const { context, page, wrong } = await open()
      await signIn(page, site, sue)
      await page.goto(`${site.url}/sell`)
      const title = `Leica M6 ${state}`
      await page.getByLabel('What are you selling?').fill(title)
      await page.getByLabel('Price', { exact: true }).fill('€580')
      await page.locator('.grade-cards label', { hasText: 'Good' }).click()
      if (javaScriptEnabled) await page.locator('[data-saved]', { hasText: 'Draft saved' }).waitFor()
      else await page.getByRole('button', { name: 'Save draft' }).click()
      await page.waitForURL(/\/sell\/[0-9a-f-]{36}$/)
      await page.close()

      const later = await context.newPage()
      await later.goto(`${site.url}/sell`)
      await later.getByRole('link', { name: title }).click()
      await later.waitForURL(/\/sell\/[0-9a-f-]{36}$/)
      assert.equal(await later.getByLabel('What are you selling?').inputValue(), title)
      assert.equal(await later.getByLabel('Price', { exact: true }).inputValue(), '580')
      assert.ok(await later.getByRole('radio', { name: /^Good/ }).isChecked())
      // The defects are those of the camera: film, and no sensor.
      const defects = await later.locator('[name=defects][type=checkbox]').evaluateAll((boxes) => boxes.map((box) => box.value))
      assert.ok(defects.includes('light_seals') && !defects.includes('balsam_separation'), defects.join())
      assert.deepEqual(wrong, [])
      await context.close()
    })
  }
}

test('photos are uploaded as they are chosen, and a refused one says why', { timeout: 600_000 }, async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, site, sue)
  const release = await hold(page, 'sell')
  await page.goto(`${site.url}/sell`, { waitUntil: 'commit' })
  await page.getByLabel('Add photos').setInputFiles(photos[0])
  release()
  await page.locator('progress').or(page.locator('.prints li')).first().waitFor()
  await page.locator('.prints li').first().waitFor()
  assert.match(page.url(), /\/sell\/[0-9a-f-]{36}$/)
  await page.getByLabel('Add photos').setInputFiles({ name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') })
  await page.locator('#photographs .fault', { hasText: 'page.jpg' }).waitFor()
  assert.equal(await page.locator('.prints li').count(), 1)
  await page.getByLabel('Add photos').setInputFiles(photos[1])
  await page.locator('.prints li').nth(1).waitFor()
  assert.equal(await page.locator('#photographs .fault').count(), 0)
  await context.close()
})

