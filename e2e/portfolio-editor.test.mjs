// Plays an operator who makes a project of the portfolio in the browser: uploads that go on
// after a break, folders, files that are refused, texts, order, crop points, and what
// visitors then see.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as path } from 'node:path'
import { after, before, test } from 'node:test'
import { hold, patience, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { join, signIn } from './members.mjs'
import { startSite, top } from './site.mjs'

const folder = `${top}/content/portfolio/far-from-home`
const files = readdirSync(folder).filter((name) => name.endsWith('.jpg')).map((name) => `${folder}/${name}`)

let site, browser, exported

before(async () => {
  site = await startSite()
  browser = await startBrowser()
  exported = mkdtempSync(path(tmpdir(), 'secondlight-export-'))
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
  rmSync(exported, { recursive: true, force: true })
})

// signedIn opens a window of an operator who has begun a project.
async function signedIn(handle, title, settings) {
  const page = await (await browser.newContext(settings)).newPage()
  await signIn(page, site, join(site, handle, { operator: true }))
  await page.goto(`${site.url}/account/portfolio`)
  await page.getByLabel('New project').fill(title)
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  return page
}

// order returns the files of the photographs, as shown.
const order = (page) => page.locator('.prints > li').evaluateAll((items) => items.map((item) => item.dataset.file))

// saved does something and waits until the server has stored it.
async function saved(page, act) {
  const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
  await act()
  assert.equal((await answer).status(), 200)
}

test('an operator makes a project, and an upload that broke off goes on', { timeout: 2 * patience }, async () => {
  const page = await signedIn('olga-portfolio', 'Harbours', { viewport: { width: 390, height: 844 } })
  let posts = 0
  await page.route('**/uploads', (route) => (++posts === 2 ? route.abort('connectionreset') : route.continue()))
  await page.getByLabel('Add photographs').setInputFiles(files.slice(0, 2))
  await page.locator('ol.prints > li').nth(1).waitFor({ timeout: patience })
  assert.equal(await page.locator('ol.prints > li').count(), 2)
  assert.ok(posts > 4, `${posts} requests`)

  await saved(page, () => page.locator('#photo-2').getByRole('button', { name: 'Move up' }).click())
  await saved(page, async () => {
    await page.locator('#photo-1').getByLabel('Title').fill('The pier')
    await page.locator('#photo-1').getByLabel('Caption').fill('Low water in March.')
  })
  await saved(page, () => page.locator('#photo-1').getByRole('button', { name: 'Save' }).click())
  await page.reload()
  assert.equal(await page.locator('#photo-1').getByLabel('Title').inputValue(), 'The pier')
  assert.equal(await page.locator('#photo-1').getByLabel('Caption').inputValue(), 'Low water in March.')
  const visitor = await (await browser.newContext()).newPage()
  assert.equal((await visitor.goto(`${site.url}/portfolio/harbours`)).status(), 404, 'a project is private until it is published')
  await page.getByLabel('Visible to').selectOption('public')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changes saved.').waitFor()

  assert.equal((await visitor.goto(`${site.url}/portfolio/harbours`)).status(), 200)
  assert.match(await visitor.locator('main').textContent(), /The pier/)
  const picture = visitor.locator('main img').first()
  assert.equal(await picture.evaluate((img) => img.decode().then(() => img.naturalWidth > 0, (err) => `${img.currentSrc}: ${err.message}`)), true)
})

test('a folder is added, and files that are refused do not stop the others', { timeout: 2 * patience }, async () => {
  const page = await signedIn('fiona-folder', 'Export', { viewport: { width: 1440, height: 900 } })
  mkdirSync(path(exported, 'selects'))
  for (const [name, body] of Object.entries({
    'a.jpg': readFileSync(files[0]), 'b.NEF': 'II*', 'c.jpg': readFileSync(files[1]).subarray(0, 5000), 'Thumbs.db': 'x', 'selects/d.jpg': readFileSync(files[2]), 'selects/a.jpg': readFileSync(files[3]),
  })) writeFileSync(path(exported, name), body)
  const release = await hold(page, 'portfolio-editor')
  await page.reload({ waitUntil: 'commit' })
  await page.getByLabel('Or choose a folder').setInputFiles(exported)
  release()
  await page.locator('ol.prints > li').nth(1).waitFor({ timeout: patience })
  assert.deepEqual(await order(page), ['a.jpg', 'd.jpg'])
  const notes = (await page.locator('.uploads li').allTextContents()).sort()
  assert.deepEqual(notes, [
    'a.jpgAdded', 'a.jpgAnother file in this folder has the same name. Rename one of them.',
    'b.NEFThis is a RAW file. Export it as JPEG and add that file.', 'c.jpgThe file is incomplete or damaged. Export it again as JPEG.', 'd.jpgAdded',
  ])

  const bytes = [...readFileSync(files[3])]
  const dropped = await page.evaluateHandle((bytes) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(bytes)], 'dropped.jpg', { type: 'image/jpeg' }))
    return data
  }, bytes)
  await page.dispatchEvent('main', 'dragover', { dataTransfer: dropped })
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
  await page.locator('ol.prints > li').nth(2).waitFor({ timeout: patience })
  assert.deepEqual(await order(page), ['a.jpg', 'd.jpg', 'dropped.jpg'])
})

for (const [name, settings] of Object.entries({ phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true }, desktop: { viewport: { width: 1440, height: 900 } } })) {
  test(`photographs are ordered, cropped and described on a ${name}`, { timeout: 2 * patience }, async () => {
    const page = await signedIn(`orla-${name}`, `On a ${name}`, settings)
    const wrong = await watch(page, site)
    await page.getByLabel('Add photographs').setInputFiles(files)
    await page.locator('ol.prints > li').nth(3).waitFor({ timeout: patience })
    const [a, b, c, d] = await order(page)

    // By dragging its handle, with a finger on a phone.
    await page.locator('#photo-1 .handle').scrollIntoViewIfNeeded()
    await saved(page, async () => {
      const at = await page.locator('#photo-1 .handle').boundingBox()
      const to = () => page.locator(`[data-file="${b}"]`).boundingBox()
      const session = name === 'phone' && await page.context().newCDPSession(page)
      const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
      const start = { x: at.x + at.width / 2, y: at.y + at.height / 2 }
      if (session) await touch('touchStart', start)
      else {
        await page.mouse.move(start.x, start.y)
        await page.mouse.down()
      }
      for (let step = 0; step < 60 && (await order(page))[0] === a; step++) {
        const box = await to()
        const y = Math.min(settings.viewport.height - 20, box.y + 0.8 * box.height)
        if (session) await touch('touchMove', { x: start.x, y })
        else await page.mouse.move(start.x, y, { steps: 4 })
      }
      if (session) await touch('touchEnd')
      else await page.mouse.up()
    })
    assert.equal((await order(page))[0], b)
    assert.equal((await order(page))[1], a)

    // By keyboard, from its handle.
    await page.locator(`[data-file="${d}"] .handle`).focus()
    await saved(page, () => page.keyboard.press('ArrowUp'))
    assert.deepEqual(await order(page), [b, a, d, c])
    assert.equal(await page.evaluate(() => document.activeElement.closest('li').dataset.file), d)

    // The crop point, by a click on the picture; the cover.
    const crop = page.locator('#photo-3 .crop')
    await crop.scrollIntoViewIfNeeded()
    const { width, height } = await crop.boundingBox()
    const at = { x: 0.3 * width, y: 0.7 * height }
    await saved(page, () => (name === 'phone' ? crop.tap({ position: at }) : crop.click({ position: at })))
    await saved(page, () => page.locator('#photo-3').getByRole('button', { name: 'Use as cover' }).click())
    assert.ok(await page.locator('#photo-3 .is-cover').isVisible())
    await saved(page, () => page.locator('#photo-4').getByRole('button', { name: 'Remove' }).click())

    await page.reload()
    await settle(page)
    assert.deepEqual(await order(page), [b, a, d])
    assert.ok(Math.abs(await page.locator('#photo-3').getByLabel('% from left').inputValue() - 30) <= 1)
    assert.ok(Math.abs(await page.locator('#photo-3').getByLabel('% from top').inputValue() - 70) <= 1)
    assert.ok(await page.locator('#photo-3 .is-cover').isVisible())
    assert.equal(await page.evaluate(() => globalThis.shift), 0)
    assert.deepEqual(await violations(page), [])
    assert.deepEqual([...wrong, ...(await posture(page))], [])
    if (process.env.SHOTS) for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.screenshot({ path: `${process.env.SHOTS}/editor-${name}-${scheme}.png`, fullPage: true })
    }
  })
}
