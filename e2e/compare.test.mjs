// Tests choosing listings and models for a comparison in a browser, and the comparison,
// narrow and wide, light and dark, with and without JavaScript.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forgive, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { startSite } from './site.mjs'

const search = '/listings?model=canon/eos-r6'

let site, browser

before(async () => {
  site = await startSite({ shared: 'read' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

for (const { width, colorScheme, javaScriptEnabled } of [
  { width: 390, colorScheme: 'light', javaScriptEnabled: true },
  { width: 390, colorScheme: 'dark', javaScriptEnabled: false },
  { width: 1440, colorScheme: 'dark', javaScriptEnabled: true },
  { width: 1440, colorScheme: 'light', javaScriptEnabled: false },
]) {
  const how = `${width} px, ${colorScheme}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`

  const open = async (path) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled })
    const page = await context.newPage()
    const wrong = await watch(page, site)
    await page.goto(site.url + path)
    return { context, page, wrong }
  }

  // check fails if the page has problems, or axe finds any.
  const check = async (page, wrong) => {
    if (!javaScriptEnabled) return
    await settle(page)
    wrong.push(...await posture(page))
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight)) // where the bar covers nothing
    assert.deepEqual([...wrong, ...await violations(page)], [])
  }

  test(`listings are chosen on their cards and compared, ${how}`, async () => {
    const { context, page, wrong } = await open(search)
    const boxes = page.locator('.card').getByRole('checkbox', { name: /^Compare / })
    const titles = await page.locator('.card h3').allTextContents()
    await boxes.nth(0).check()
    await boxes.nth(2).check()
    const bar = page.locator('#compare')
    const seen = await bar.boundingBox()
    assert.ok(seen.y > 0 && seen.y + seen.height <= 900, `what compares them is in sight: ${JSON.stringify(seen)}`)
    await check(page, wrong)
    if (javaScriptEnabled) {
      assert.match(await bar.textContent(), /2 selected/)
      await bar.getByRole('link', { name: 'Compare' }).click()
    } else {
      await bar.getByRole('button', { name: 'Compare selected' }).click()
    }
    await page.waitForURL(/\/compare\?listing=/)
    const heads = page.locator('.compare thead th')
    assert.deepEqual(await heads.locator('a:not(.remove)').allTextContents(), [titles[0], titles[2]])
    assert.match(await page.getByRole('heading', { level: 1 }).textContent(), /^Canon EOS R6: 2 listings compared$/)
    for (const name of ['Price', 'Compared with market', 'Condition', 'Working order', 'Defects', 'Included', 'Rating', 'Location', 'Listed', 'Mount']) {
      assert.ok(await page.getByRole('rowheader', { name: new RegExp(`^${name}( \\(differs\\))?$`) }).count() > 0, `a row for ${name}`)
    }
    const widths = await heads.evaluateAll((all) => all.map((th) => Math.round(th.getBoundingClientRect().width)))
    assert.ok(Math.abs(widths[0] - widths[1]) < 2, `columns are as wide as each other: ${widths}`)
    assert.doesNotMatch(await page.locator('main').innerText(), /[0-9a-f]{8}-[0-9a-f]{4}/)
    await check(page, wrong)

    await page.getByLabel('Postage to').selectOption('DE')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('rowheader', { name: 'Postage to Germany' }).waitFor()
    await heads.nth(0).getByRole('link', { name: /^Remove / }).click()
    await page.getByText('Select another listing to compare with').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Find another Canon EOS R6' }).getAttribute('href'), search)
    assert.deepEqual(wrong, [])
    await context.close()
  })

  test(`models are chosen in a table and compared, ${how}`, async () => {
    const { context, page, wrong } = await open('/gear/canon')
    await settle(page)
    wrong.push(...await posture(page))
    await page.getByRole('checkbox', { name: 'Compare Canon EOS R6', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Compare Canon EOS R5', exact: true }).check()
    const button = page.getByRole('button', { name: 'Compare selected' })
    const seen = await button.boundingBox()
    assert.ok(seen.y > 0 && seen.y + seen.height <= 900, `the button is in sight: ${JSON.stringify(seen)}`)
    if (javaScriptEnabled) await forgive(page) // the button comes into sight
    await check(page, wrong)
    await button.click()
    await page.waitForURL(/\/compare\?gear=/)
    assert.match(await page.getByRole('heading', { level: 1 }).textContent(), /Canon EOS R6 vs Canon EOS R5|Canon EOS R5 vs Canon EOS R6/)
    await page.goto(`${site.url}/gear/canon/eos-r6`)
    await page.getByRole('link', { name: 'Compare with another model' }).click()
    await page.getByText('Add another model to compare with the Canon EOS R6.').waitFor()
    assert.deepEqual(wrong, [])
    await context.close()
  })
}

test('the selection is remembered from page to page, has at most four, and is cleared', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const wrong = await watch(page, site)
  await page.goto(site.url + search)
  const boxes = page.locator('.results .card').getByRole('checkbox')
  const bar = page.locator('#compare')
  assert.ok(!await bar.isVisible(), 'nothing is selected yet')
  await boxes.nth(0).check()
  assert.match(await bar.textContent(), /1 selected. Pick another to compare./)
  await boxes.nth(1).check()
  const first = await boxes.nth(0).getAttribute('value')

  await page.goto(`${site.url}/listings?model=sony/alpha-7-iii`)
  await page.locator('#compare.open').waitFor()
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await boxes.nth(2).click()
  assert.ok(!await boxes.nth(2).isChecked(), 'a fifth is refused')
  assert.match(await bar.textContent(), /You can compare up to 4 listings\. Clear one first\./)
  assert.match(await page.locator('#voice').textContent(), /up to 4 listings/)

  await page.locator('.sorts').getByRole('link', { name: 'Lowest price' }).click() // without loading the page
  await page.waitForURL(/sort=price/)
  assert.match(await bar.textContent(), /4 selected/)

  await page.goto(`${site.url}/listings/${first}`)
  await page.locator('#compare.open').waitFor()
  const actions = await page.locator('.actions').boundingBox()
  const box = await bar.boundingBox()
  assert.ok(box.y + box.height <= actions.y + 1, `the bar is above the actions: ${JSON.stringify([box, actions])}`)

  await bar.getByRole('link', { name: 'Compare' }).click()
  await page.waitForURL(/\/compare\?listing=/)
  assert.equal(await page.locator('.compare thead th').count(), 4)
  await page.locator('.compare thead th').nth(0).getByRole('link', { name: /^Remove / }).click()
  await page.waitForFunction(() => document.querySelectorAll('.compare thead th').length === 3)
  await page.waitForLoadState() // until the scripts have stored the selection
  await page.goto(site.url + search)
  assert.match(await bar.textContent(), /3 selected/)
  assert.ok(!await page.locator(`.results input[value="${first}"]`).isChecked(), 'what was removed from the comparison is not selected')
  await bar.getByRole('button', { name: 'Clear' }).click()
  assert.ok(!await bar.isVisible())
  assert.equal(await page.locator('.card :checked').count(), 0)
  assert.deepEqual(wrong, [])
  await page.close()
})

test('the box of a card comes after its link', async () => {
  const page = await browser.newPage()
  await page.goto(site.url + search)
  await page.locator('.results .card a').first().focus()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement.name), 'listing')
  await page.keyboard.press('Space')
  assert.ok(await page.locator('#compare').isVisible())
  await page.close()
})
