// Tests the photographs of a listing in a browser: added, reordered, described and
// deleted, with a mouse, by keyboard alone, and without JavaScript.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forgive, patience, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { startSite, top } from './site.mjs'

const files = ['nagasaki-boats', 'airplane-from-above', 'dust-bowl-home'].map((name) => `${top}content/portfolio/far-from-home/${name}.jpg`)

let site, browser, anna, api

before(async () => {
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
  anna = join(site, 'anna')
  api = apiOf(site, tokenOf(site, anna))
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

for (const width of [320, 1280]) {
  for (const javaScriptEnabled of [true, false]) {
    test(`photographs at ${width} px, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
      const listing = await api('POST', '/api/listings', { gear: 'canon/eos-r6', price: { amount: '900.00', currency: 'EUR' }, condition: 'good', region: 'DE' }, 201)
      const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled, colorScheme: width === 320 ? 'dark' : 'light' })
      const page = await context.newPage()
      const wrong = await watch(page, site)
      const photos = async () => (await api('GET', `/api/listings/${listing.id}/photos`)).photos
      const order = async () => (await photos()).map((photo) => photo.key).join()
      // shown waits until the page shows a number of photographs in an order.
      const shown = async (keys) => {
        await page.waitForFunction((keys) => [...document.querySelectorAll('.prints [name=photos]')].map((field) => field.value).join() === keys, keys.join())
        for (const deadline = Date.now() + patience; Date.now() < deadline && (await order()) !== keys.join();) await new Promise((resolve) => setTimeout(resolve, 50))
        assert.equal(await order(), keys.join())
        await still()
      }
      // A button that is replaced under the mouse is not clicked.
      const still = () => page.locator('#photographs:not([aria-busy])').waitFor()
      // add chooses files, which are sent at once or with their button.
      const add = async (chosen) => {
        await page.getByLabel('Add photos').setInputFiles(chosen)
        if (!javaScriptEnabled) await page.getByRole('button', { name: 'Upload' }).click()
      }
      try {
        await signIn(page, site, anna)
        await page.goto(`${site.url}/sell/${listing.id}`)
        await page.getByRole('textbox', { name: 'Description' }).fill('typed, and not sent yet')

        await add(files)
        await page.locator('.prints li').nth(2).waitFor()
        await still()
        const keys = (await photos()).map((photo) => photo.key)
        assert.equal(keys.length, 3)

        await page.getByLabel('Description of photo 1').fill('The front')
        await page.getByRole('button', { name: 'Move down photo 1' }).click()
        await shown([keys[1], keys[0], keys[2]])
        assert.equal((await photos())[1].alt, 'The front')
        assert.equal((await photos())[2].alt, 'Photo 3 of Canon EOS R6')

        // By keyboard alone.
        const earlier = page.getByRole('button', { name: 'Move up photo 3' })
        await earlier.focus()
        await page.keyboard.press('Enter')
        await shown([keys[1], keys[2], keys[0]])
        await page.getByLabel('Description of photo 1').focus()
        await page.keyboard.type('The back')
        await page.keyboard.press('Enter')
        if (!javaScriptEnabled) await page.waitForFunction(() => document.querySelector('.prints input[type=text]')?.getAttribute('value') === 'The back')
        for (const deadline = Date.now() + patience; Date.now() < deadline && (await photos())[0].alt !== 'The back';) await new Promise((resolve) => setTimeout(resolve, 50))
        assert.equal((await photos())[0].alt, 'The back')
        await shown([keys[1], keys[2], keys[0]])
        if (javaScriptEnabled) {
          await page.locator('.prints li').nth(2).locator('img').dragTo(page.locator('.prints li').nth(0).locator('img'))
          await shown([keys[0], keys[1], keys[2]])
        }
        assert.equal(await page.getByRole('textbox', { name: 'Description' }).inputValue(), 'typed, and not sent yet')
        const now = (await photos()).map((photo) => photo.key)

        // A refused file has an error beside the field, and the others are kept.
        await add({ name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html><script>alert(1)</script>') })
        await page.locator('#photographs .fault').waitFor()
        assert.match(await page.locator('#photographs .fault').textContent(), /page\.jpg: The content is text\/html/)
        assert.equal(await order(), now.join())
        wrong.splice(0, wrong.length, ...wrong.filter((what) => !what.endsWith(' 400')))

        await page.waitForLoadState('load')
        await settle(page)
        if (javaScriptEnabled) await forgive(page) // the page grew by what was added to it
        wrong.push(...(await posture(page)))
        if (javaScriptEnabled) {
          wrong.push(...await violations(page, '.shelf'))
        }
        if (process.env.SHOTS) await page.locator('.shelf').screenshot({ path: `${process.env.SHOTS}/shelf-${width}-${javaScriptEnabled}.png` })

        await page.getByRole('button', { name: 'Delete photo 2' }).click()
        await shown([now[0], now[2]])
        assert.deepEqual(wrong, [])

        // Only its seller can see the pictures of a draft.
        assert.equal((await fetch(`${site.url}/photos/${now[0]}-640.jpg`)).status, 404)
        assert.ok(await page.evaluate((src) => fetch(src).then((answer) => answer.ok), `/photos/${now[0]}-640.jpg`).catch(() => !javaScriptEnabled))
      } finally {
        await context.close()
      }
    })
  }
}
