// Tests the pages of gear in a browser: the photo, the actions, what fits, and the choices
// of the price chart, narrow and wide, light and dark, with and without JavaScript.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { posture, settle, startBrowser, violations, watch } from './browser.mjs'
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

const views = [
  { width: 390, colorScheme: 'light', javaScriptEnabled: true },
  { width: 390, colorScheme: 'dark', javaScriptEnabled: false },
  { width: 1440, colorScheme: 'dark', javaScriptEnabled: true },
  { width: 1440, colorScheme: 'light', javaScriptEnabled: false },
]

for (const { width, colorScheme, javaScriptEnabled } of views) {
  const how = `${width} px, ${colorScheme}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`

  const open = async (path) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled })
    const page = await context.newPage()
    const wrong = await watch(page, site)
    await page.goto(site.url + path)
    return { context, page, wrong }
  }

  test(`the page of a camera, ${how}`, async () => {
    const { context, page, wrong } = await open('/gear/canon/eos-r6')
    const head = page.locator('.gear-head')
    if (width > 640) assert.match(await head.innerText(), /From €[\d,]+ · \d+ for sale/)
    assert.match(await head.getByRole('link', { name: /^See \d+ for sale/ }).getAttribute('href'), /^\/listings\?gear=|^\/listings\?model=/)
    const photo = await head.locator('img').boundingBox()
    assert.ok(photo.y < 900 && Math.abs(photo.width / photo.height - (width > 640 ? 4 / 3 : 2)) < 0.05, `the photo is ${JSON.stringify(photo)}`)
    assert.match(await head.getByRole('link', { name: 'Sell yours' }).getAttribute('href'), /^\/sell\?gear=canon%2Feos-r6$/)

    const fits = page.locator('#fits')
    await fits.getByText('Canon EF by Mount Adapter EF-EOS R', { exact: true }).waitFor()
    assert.ok(!await fits.locator('.by-hand').isVisible())
    await fits.getByText('Manual focus only').click()
    assert.ok(await fits.getByRole('link', { name: 'Canon FD' }).isVisible())

    await page.getByText('All figures').click()
    const made = page.getByText('How we work out prices')
    await made.click()
    assert.ok(await page.getByText('Completed sales only, never asking prices').isVisible())

    if (javaScriptEnabled) {
      await settle(page)
      assert.deepEqual([...wrong, ...await posture(page)], [])
      assert.deepEqual(await violations(page), [])
    }
    await context.close()
  })

  test(`the price chart of a camera, ${how}`, async () => {
    const { context, page, wrong } = await open('/gear/canon/eos-r6')
    const chart = page.locator('.chart:visible')
    const months = () => chart.locator('circle').count()
    const all = await months()
    assert.equal(await chart.locator('.overall').count(), 0)

    await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '1 year' }).click()
    await page.waitForURL('**/gear/canon/eos-r6?years=1#prices')
    const year = await months()
    assert.ok(year > 0 && year <= 12 && year < all, `${year} of ${all} months`)

    await page.getByRole('navigation', { name: 'Condition' }).getByRole('link', { name: 'Excellent' }).click()
    await page.waitForURL('**/gear/canon/eos-r6?condition=excellent&years=1#prices')
    assert.ok(await chart.locator('.overall').count() > 0)
    assert.deepEqual(await page.locator('.choices [aria-current]').allInnerTexts(), ['1 year', 'Excellent'])
    if (javaScriptEnabled) assert.deepEqual([...wrong, ...await posture(page)], [])
    await context.close()
  })
}

test('the price is first, then what is for sale, and the condition switches both', async () => {
  for (const [width, limit] of [[1280, 700], [390, 900]]) {
    const context = await browser.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    await page.goto(`${site.url}/gear/canon/eos-r6-mark-ii`)
    const at = async (locator) => Math.round((await locator.boundingBox()).y)
    const price = page.locator('.gear-price > b')
    const [priceAt, forSale, chart, figures] = [await at(price), await at(page.getByRole('heading', { name: 'For sale now' })), await at(page.locator('#prices')), await at(page.locator('#figures'))]
    assert.ok(forSale <= limit, `at ${width} px, what is for sale begins at ${forSale}`)
    assert.ok(priceAt < forSale && forSale < chart && chart < figures, `the order is ${[priceAt, forSale, chart, figures]}`)
    assert.ok(!await page.locator('#figures table').first().isVisible())
    assert.ok(!/steady/.test(await page.locator('main').innerText()))

    const marks = page.locator('.gear-marks a')
    assert.equal(await marks.count(), Number((await page.locator('.gear-head .button').first().innerText()).match(/\d+/)[0]))
    const boxes = await marks.locator('circle').evaluateAll((all) => all.map((e) => e.getBoundingClientRect()).map(({ x, y }) => [x, y]))
    for (const [i, [x, y]] of boxes.entries()) {
      assert.ok(boxes.slice(i + 1).every(([x2, y2]) => Math.hypot(x2 - x, y2 - y) >= 23), 'a mark is less than 24 px from another')
    }
    const before = await price.innerText()
    await page.locator('.gear-grade summary').click()
    await page.locator('.gear-grade').getByRole('link', { name: /^Good/ }).click()
    await page.waitForURL('**/gear/canon/eos-r6-mark-ii?condition=good')
    assert.notEqual(await price.innerText(), before)
    for (const line of await page.locator('.card .line').filter({ hasText: ' · ' }).allInnerTexts()) assert.match(line, /^Good/)
    const listing = await marks.first().getAttribute('href')
    await marks.first().click()
    await page.waitForURL(`**${listing}`)
    await context.close()
  }
})

test('the search for what fits starts on the page of a camera', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${site.url}/gear/canon/eos-r6`)
  await page.getByRole('link', { name: 'Shop compatible lenses' }).click()
  await page.waitForURL('**/listings?category=lens&fits=canon/eos-r6')
  await page.getByText('Fits Canon EOS R6').first().waitFor()
  await page.getByLabel('Fits my camera or lens').fill('Sony A7 III')
  await page.getByLabel('Fits my camera or lens').press('Enter')
  await page.getByText('Fits Sony Alpha 7 III').first().waitFor()
  await context.close()
})

test('a camera with a fixed lens fits nothing', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${site.url}/gear/leica/q2`)
  await page.getByText('Built-in lens').waitFor()
  assert.equal(await page.locator('#fits').count(), 0)
  await context.close()
})
