// Types searches in a browser: suggestions and recent searches, by keyboard and pointer,
// for screen readers, and without JavaScript.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hold, posture, startBrowser, violations, watch } from './browser.mjs'
import { startSite } from './site.mjs'


let site, browser

before(async () => {
  site = await startSite({ shared: 'read' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// openPage resolves to a page with its search box and its list of suggestions, and what
// goes wrong on it.
async function openPage(options, path = '/') {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const wrong = await watch(page, site)
  await page.goto(site.url + path)
  return { page, wrong, box: page.locator('#find'), list: page.getByRole('listbox'), close: () => context.close() }
}

// chosenIn resolves to the text of the option that the box says is active.
async function chosenIn(box) {
  const id = await box.getAttribute('aria-activedescendant')
  return id && box.page().locator(`[id="${id}"][aria-selected=true] span`).textContent()
}

test('a search is completed with the keyboard', async () => {
  const { page, wrong, box, list, close } = await openPage({ viewport: { width: 1440, height: 900 } })
  await box.focus()
  await page.keyboard.type('canon eos r')
  await list.getByRole('option', { name: /^Canon EOS R/ }).first().waitFor()
  assert.equal(await box.getAttribute('aria-expanded'), 'true')
  const options = await list.getByRole('option').locator('span').allTextContents()
  assert.ok(options.length > 2 && options.length <= 8, `${options}`)
  assert.ok(options.every((text) => text.startsWith('Canon')), `${options}`)
  assert.match(await page.locator('#voice').textContent(), /^Suggestions: \d/)

  assert.equal(await chosenIn(box), null)
  for (const [key, at] of [['ArrowDown', 0], ['ArrowDown', 1], ['ArrowUp', 0], ['End', options.length - 1], ['Home', 0], ['ArrowUp', -1], ['ArrowUp', options.length - 1], ['ArrowDown', -1]]) {
    await page.keyboard.press(key)
    assert.equal(await chosenIn(box), at < 0 ? null : options[at], key)
  }
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  assert.equal(await box.inputValue(), 'canon eos r')
  await page.keyboard.press('ArrowDown')
  await list.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/listings\?model=canon/)
  assert.equal(await page.locator('h1').textContent(), options[0])
  assert.deepEqual(wrong, [])
  await close()
})

for (const [name, options] of Object.entries({ narrow: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, wide: { viewport: { width: 1440, height: 900 } } })) {
  test(`suggestions are accessible and stay on a ${name} screen`, async () => {
    const { page, wrong, box, list, close } = await openPage(options)
    await box.fill('nifty')
    await list.waitFor()
    assert.match(await list.getByRole('option').first().textContent(), /nifty fifty/)
    await page.keyboard.press('ArrowDown')
    assert.deepEqual(await violations(page), [])
    const { x, width } = await page.locator('.suggestions').first().boundingBox()
    assert.ok(x >= 0 && x + width <= options.viewport.width, `${x} and ${width}`)
    assert.deepEqual(wrong, [])
    await close()
  })
}

test('recent searches stay on the device until they are cleared', async () => {
  const { page, wrong, box, list, close } = await openPage({})
  for (const text of ['leica m6', 'nifty fifty', 'Leica M6']) {
    await box.fill(text)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('keyword') === text)
  }
  await box.fill('')
  await list.waitFor()
  assert.deepEqual(await list.getByRole('option').allTextContents(), ['Leica M6', 'nifty fifty'])
  await list.getByRole('option').nth(1).click()
  await page.waitForURL(/keyword=nifty\+fifty/)

  await box.fill('')
  await list.waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab') // past the button that empties the box, where there is one
  await page.getByRole('button', { name: 'Clear recent searches' }).click()
  await list.waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate(() => localStorage.getItem('searches')), null)
  await box.click()
  assert.equal(await list.isVisible(), false)
  assert.deepEqual(wrong, [])
  await close()
})

test('only the suggestions for the last text are shown', async () => {
  const { page, box, list, close } = await openPage({})
  let asked = 0
  await page.route('**/api/suggest?*', async (route) => {
    if (asked++ === 0) await new Promise((late) => setTimeout(late, 1500))
    await route.continue().catch(() => {})
  })
  await box.fill('nikon')
  await page.waitForRequest(/q=nikon/)
  await box.fill('leica m')
  await list.waitFor()
  await page.waitForTimeout(2000)
  assert.ok((await list.getByRole('option').allTextContents()).every((text) => !text.startsWith('Nikon')))
  await close()
})

test('a failed request is asked again, not remembered', async () => {
  const { page, box, list, close } = await openPage({})
  let asked = 0
  await page.route('**/api/suggest?*', (route) => asked++ ? route.continue() : route.fulfill({ status: 503, headers: { 'Retry-After': '0' }, body: '' }))
  await box.fill('leica m')
  await page.waitForResponse((answer) => answer.status() === 503)
  await box.press('Backspace')
  await box.press('m')
  await list.getByRole('option', { name: /^Leica M/ }).first().waitFor()
  assert.ok(asked > 1)
  await close()
})

test('the catalogue suggests its own pages', async () => {
  const { page, close } = await openPage({}, '/gear')
  await page.locator('#gear-find').fill('fuji x-t3')
  await page.locator('#gear-find-list').getByRole('option').first().click()
  await page.waitForURL(/\/gear\/fujifilm\/x-t3$/)
  await close()
})

test('a search works without JavaScript', async () => {
  const { page, box, close } = await openPage({ javaScriptEnabled: false })
  await box.fill('leica m6')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/listings\?keyword=leica\+m6/)
  assert.equal(await box.getAttribute('role'), null)
  await close()
})

test('the first listing of a search is two Tabs and a skip link away', async () => {
  const { page, close } = await openPage({}, '/listings?keyword=canon')
  for (let turn = 0; turn < 2; turn++) await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').textContent(), 'Skip to results')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.equal(await page.locator('.card a:focus').count(), 1)
  await close()
})

test('recently viewed listings are shown, and cleared', async () => {
  const { page, wrong, close } = await openPage({}, '/listings')
  assert.equal(await page.locator('#viewed').isVisible(), false)
  const titles = []
  for (let turn = 0; turn < 2; turn++) {
    await page.locator('.results .card h3 a').nth(turn).click()
    await page.waitForURL(/\/listings\/[0-9a-f-]{36}$/)
    titles.unshift(await page.locator('h1').textContent())
    await page.goto(`${site.url}/listings`)
  }
  for (const path of ['/listings', '/']) {
    await page.goto(site.url + path)
    assert.deepEqual(await page.locator('#viewed h3').allTextContents(), titles, path)
  }
  await page.locator('#viewed').getByRole('button', { name: 'Clear' }).click()
  await page.locator('#viewed').waitFor({ state: 'hidden' })
  await page.reload()
  assert.equal(await page.locator('#viewed').isVisible(), false)
  assert.deepEqual(wrong, [])
  await close()
})

test('nothing moves when scripts show what was viewed after the page', async () => {
  const { page, wrong, close } = await openPage({ viewport: { width: 390, height: 1100 } }, '/listings')
  await page.locator('.results .card h3 a').first().click()
  await page.waitForURL(/\/listings\/[0-9a-f-]{36}$/)
  const title = await page.locator('h1').textContent()
  const release = await hold(page, 'viewed')
  await page.goto(`${site.url}/listings?keyword=${encodeURIComponent(title)}`, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length)
  release()
  await page.locator('#viewed .card').waitFor()
  assert.deepEqual([...wrong, ...await posture(page)], [])
  await close()
})

test('categories are suggested in the language of the page', async () => {
  const { box, list, close, page } = await openPage({ locale: 'de-DE', extraHTTPHeaders: { 'Accept-Language': 'de' } })
  await box.focus()
  await page.keyboard.type('rangef')
  const option = list.getByRole('option').filter({ hasText: 'Kategorie' })
  await option.waitFor()
  assert.equal(await option.locator('span').textContent(), 'Messsucherkamera')
  await close()
})
