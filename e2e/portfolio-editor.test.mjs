// Plays an operator who makes a project of the portfolio in the browser: uploads that go on
// after a break, folders, files that are refused, texts, order, several photographs at once,
// crop points, 500 photographs, and what visitors then see.
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
  const answer = page.waitForResponse((response) => ['PUT', 'PATCH'].includes(response.request().method()))
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

  await page.locator('#photo-2 .thumb').click()
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
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Changes saved.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'View', exact: true }).getAttribute('href'), '/portfolio/harbours')

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

    // By dragging, with a finger that rests first on a phone.
    await page.locator('#photo-1').scrollIntoViewIfNeeded()
    await saved(page, async () => {
      const middle = async (file) => {
        const { x, y, width, height } = await page.locator(`[data-file="${file}"] .thumb`).boundingBox()
        return { x: x + width / 2, y: y + height / 2, width }
      }
      const [from, to] = [await middle(a), await middle(b)]
      const end = { x: to.x + to.width / 3, y: to.y }
      if (name === 'desktop') {
        await page.mouse.move(from.x, from.y)
        await page.mouse.down()
        await page.mouse.move(end.x, end.y, { steps: 5 })
        await page.mouse.up()
        return
      }
      const session = await page.context().newCDPSession(page)
      const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
      await touch('touchStart', { x: from.x, y: from.y })
      await page.locator('.lights .dragged').waitFor()
      for (let step = 1; step <= 5; step++) await touch('touchMove', { x: from.x + (end.x - from.x) * step / 5, y: from.y + (end.y - from.y) * step / 5 })
      await touch('touchEnd')
    })
    assert.deepEqual(await order(page), [b, a, c, d])

    // By keys.
    await page.locator(`[data-file="${d}"] .thumb`).focus()
    await saved(page, () => page.keyboard.press('Alt+ArrowLeft'))
    assert.deepEqual(await order(page), [b, a, d, c])
    assert.equal(await page.evaluate(() => document.activeElement.closest('li').dataset.file), d)

    // Several at once, by keys and, on a desktop, by clicks.
    await page.keyboard.press('Home')
    await page.keyboard.press(' ')
    await page.keyboard.press('Shift+ArrowRight')
    const many = page.locator('[data-many]')
    await many.getByRole('heading', { name: '2 selected' }).waitFor()
    await many.getByLabel('Location').fill('Nagasaki')
    await saved(page, () => many.getByRole('button', { name: 'Save' }).click())
    await many.getByText('Saved').waitFor()
    await many.getByRole('button', { name: 'Close' }).click()
    if (name === 'desktop') {
      await page.locator(`[data-file="${a}"] .thumb`).click()
      await page.locator(`[data-file="${c}"] .thumb`).click({ modifiers: ['Control'] })
    } else {
      await page.getByRole('button', { name: 'Select several' }).tap()
      await page.locator(`[data-file="${a}"] .thumb`).tap()
      await page.locator(`[data-file="${c}"] .thumb`).tap()
      await page.getByRole('button', { name: 'Select several' }).tap()
    }
    await many.getByRole('heading', { name: '2 selected' }).waitFor()
    await many.getByLabel('Visible to').selectOption('true')
    await saved(page, () => many.getByRole('button', { name: 'Save' }).click())
    await many.getByRole('button', { name: 'Close' }).click()
    assert.equal(await page.locator('.unseen').count(), 2)

    // The crop point, by a click on the picture; the cover.
    await page.locator('#photo-3 .thumb').click()
    const crop = page.locator('#photo-3 .crop')
    const { width, height } = await crop.boundingBox()
    const at = { x: 0.3 * width, y: 0.7 * height }
    await saved(page, () => (name === 'phone' ? crop.tap({ position: at }) : crop.click({ position: at })))
    await saved(page, () => page.locator('#photo-3').getByRole('button', { name: 'Use as cover' }).click())
    assert.ok(await page.locator('#photo-3 .thumb .is-cover').isVisible())
    await saved(page, () => page.locator('#photo-3').getByLabel('Row on the page').selectOption('pair'))
    assert.deepEqual(await violations(page), [])
    if (process.env.SHOTS) for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.screenshot({ path: `${process.env.SHOTS}/editor-${name}-${scheme}.png` })
    }
    await page.locator('#photo-4 .thumb').click({ force: true })
    await saved(page, () => page.locator('#photo-4').getByRole('button', { name: 'Remove' }).click())

    await page.reload()
    await settle(page)
    assert.deepEqual(await order(page), [b, a, d])
    assert.ok(Math.abs(await page.locator('#photo-3').getByLabel('% from left').inputValue() - 30) <= 1)
    assert.ok(Math.abs(await page.locator('#photo-3').getByLabel('% from top').inputValue() - 70) <= 1)
    assert.ok(await page.locator('#photo-3 .thumb .is-cover').isVisible())
    assert.equal(await page.locator('#photo-1').getByLabel('Location').inputValue(), 'Nagasaki')
    assert.equal(await page.locator('#photo-3').getByLabel('Row on the page').inputValue(), 'pair')
    assert.equal(await page.locator('.unseen').count(), 1)
    await page.getByLabel('Order by').selectOption('name')
    await page.getByRole('button', { name: 'Sort' }).click()
    await page.getByText('Changes saved.').waitFor()
    assert.deepEqual(await order(page), [a, b, d].sort())
    assert.equal(await page.evaluate(() => globalThis.shift), 0)
    assert.deepEqual(await violations(page), [])
    assert.deepEqual([...wrong, ...(await posture(page))], [])
  })
}

test('500 photographs lie on one table, and can be chosen and moved', { timeout: 2 * patience }, async (t) => {
  const project = path(site.folder, 'portfolio', 'many')
  mkdirSync(project, { recursive: true })
  const page = await signedIn('maria-many', 'Few', { viewport: { width: 1440, height: 900 } })
  const small = Buffer.from(await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 213 })
    canvas.getContext('2d').fillRect(40, 40, 200, 100)
    const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg'))
    return [...new Uint8Array(await blob.arrayBuffer())]
  }))
  for (let i = 1; i <= 500; i++) { // each with a comment, so that none is like another
    const comment = Buffer.from(`photograph ${i}`)
    writeFileSync(path(project, `photo-${i}.jpg`), Buffer.concat([small.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, comment.length + 2]), comment, small.subarray(2)]))
  }
  writeFileSync(path(project, 'index.md'), '---\ntitle: Many\nvisibility: private\n---\n')
  await page.evaluate(async () => {
    while (!(await fetch('/account/portfolio/many')).ok) await new Promise((again) => setTimeout(again, 500))
  })
  await page.goto(`${site.url}/account/portfolio/many`)
  await page.locator('.lights > li').nth(499).waitFor({ state: 'attached' })
  t.diagnostic(`500 on the table ${(await page.evaluate(() => performance.now())).toFixed(0)} ms after the page was opened, ${await page.evaluate(() => document.querySelectorAll('*').length)} elements`)

  await page.locator('#sort').selectOption('name') // not by label: Playwright takes long to find one among 27,000 elements
  await page.locator('.table-bar form button').click()
  await page.locator('.done').waitFor()
  await page.locator('.lights > li').nth(499).waitFor({ state: 'attached' })
  assert.deepEqual(await order(page), Array.from({ length: 500 }, (_, i) => `photo-${i + 1}.jpg`))

  // spent returns the milliseconds from an event to the frame that shows what it does.
  const spent = (what, act) => page.evaluate(async ([what, selector, init]) => {
    const target = document.querySelector(selector)
    target.scrollIntoView({ block: 'center' })
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))
    const start = performance.now()
    if (what === 'click') for (const type of ['pointerdown', 'pointerup']) target.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId: 1, pointerType: 'mouse', ...init }))
    else target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }))
    await new Promise((frame) => requestAnimationFrame(() => setTimeout(frame)))
    return performance.now() - start
  }, [what, ...act])
  const times = {
    'to choose one': await spent('click', ['#photo-250 .thumb', {}]),
    'to choose 250': await spent('click', ['#photo-499 .thumb', { shiftKey: true }]),
    'to move 250': await spent('keydown', ['#photo-250 .thumb', { key: 'ArrowLeft', altKey: true }]),
    'to choose all': await spent('keydown', ['#photo-250 .thumb', { key: 'a', ctrlKey: true }]),
  }
  for (const [what, took] of Object.entries(times)) t.diagnostic(`${took.toFixed(0)} ms ${what}`)
  const longest = await page.evaluate(async () => {
    let longest = 0
    let last = performance.now()
    for (let y = 0; y < document.body.scrollHeight; y += 300) {
      scrollTo(0, y)
      await new Promise((frame) => requestAnimationFrame(frame))
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
    return longest
  })
  t.diagnostic(`${longest.toFixed(0)} ms the longest frame while scrolling`)
})
