// User journeys through the site, each with and without JavaScript, on a phone, a
// tablet and a desktop.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { posture, settle, startBrowser, watch } from './browser.mjs'
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

for (const width of [320, 768, 1440]) {
  for (const javaScriptEnabled of [true, false]) {
    const how = `${width} px, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`
    journey(`search, filter, listing, gear: ${how}`, { width, javaScriptEnabled }, shop)
    journey(`portfolio, photo, gear, and back: ${how}`, { width, javaScriptEnabled }, wander)
  }
}

// journey runs a journey and calls stand on every page.
function journey(name, { width, javaScriptEnabled }, go) {
  test(name, async () => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled })
    const page = await context.newPage()
    const wrong = await watch(page, site)
    const stand = async () => {
      await page.waitForLoadState('load')
      await settle(page)
      wrong.push(...(await posture(page)).map((what) => `${page.url()}: ${what}`))
    }
    try {
      await go(page, stand, javaScriptEnabled)
      assert.deepEqual(wrong, [])
    } finally {
      await context.close()
    }
  })
}

async function shop(page, stand, javaScriptEnabled) {
  await page.goto(site.url)
  await stand()
  await page.locator('#find').fill('canon')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/listings\?.*keyword=canon/)
  await stand()
  assert.ok(await count(page) > 0)

  // A facet leads to as many results as it counts; with JavaScript, without a page load.
  const filters = page.getByRole('button', { name: /^Filters/ })
  if (await filters.isVisible()) await filters.click()
  const facet = page.locator('.facet').filter({ has: page.getByRole('heading', { name: 'Condition' }) }).locator('li').filter({ hasText: 'Excellent' })
  const promised = number(await facet.locator('span').textContent())
  if (javaScriptEnabled) await page.evaluate(() => (globalThis.stayed = true))
  await facet.locator('input').check()
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).first().click()
  await page.waitForURL(/condition=excellent/)
  await page.waitForFunction((wanted) => document.querySelector('.results-head .count')?.textContent.replace(/\D/g, '') === String(wanted), promised)
  if (javaScriptEnabled) {
    assert.ok(await page.evaluate(() => globalThis.stayed), 'the page was not loaded again')
    assert.ok(await page.locator('.facet input:focus').count() > 0, 'the focus stays on the facet')
  }
  await stand()

  // A price, by form.
  const from = page.locator('.budget').getByLabel('From')
  if (!await from.isVisible()) await filters.click()
  await from.fill('200')
  if (javaScriptEnabled) await from.press('Enter')
  else await page.getByRole('button', { name: 'Apply' }).first().click()
  await page.waitForURL(/budget_min=200|budget=200-/)
  await stand()
  assert.ok(await count(page) < promised)

  const show = page.getByRole('button', { name: /^Show [\d,]+ results?$/ })
  if (await show.isVisible()) {
    await show.click()
    await page.locator('#filters').waitFor({ state: 'hidden' })
  }

  // Back and forth.
  await page.goBack()
  await page.waitForFunction((wanted) => document.querySelector('.results-head .count')?.textContent.replace(/\D/g, '') === String(wanted), promised)

  // A listing, and what its gear sells for.
  const card = page.locator('.card', { hasText: /^Canon EOS/ }).first()
  const title = await card.locator('h3').textContent()
  await card.locator('h3 a').click()
  await page.waitForURL(/\/listings\/[0-9a-f-]{36}$/)
  await stand()
  assert.equal(await page.locator('h1').textContent(), title)
  await page.locator('.listing a[href^="/gear/canon/"]').first().click()
  await page.waitForURL(/\/gear\/canon\//)
  await stand()
  assert.ok(await page.locator('svg.chart:visible, p.few').count() > 0, 'a chart, or why there is none')
}

async function wander(page, stand, javaScriptEnabled) {
  await page.goto(`${site.url}/portfolio`)
  await stand()
  await page.locator('.facet a[href*="camera="]').first().click()
  await page.waitForURL(/\/portfolio\?camera=/)
  await stand()
  const taken = page.url()
  await page.locator('.photos h3 a').first().click()
  await page.waitForURL(/\/portfolio\/[^/]+\/[^/]+$/)
  await stand()

  // With JavaScript it is shown over the results, which one is back at after the next one.
  const shown = page.url()
  const turn = async () => {
    if (javaScriptEnabled) await page.keyboard.press('ArrowRight')
    else await page.locator('a.photo-turn[rel="next"]').click()
    await page.waitForURL((url) => url.href !== shown)
  }
  if (javaScriptEnabled) {
    const viewer = page.locator('dialog.viewer[open]')
    await viewer.waitFor()
    await turn()
    await stand()
    await page.goBack()
    await viewer.waitFor({ state: 'hidden' })
    assert.equal(page.url(), taken)
    await page.locator('.photos h3 a').first().click()
    await viewer.waitFor()
    await page.reload() // the address is that of its page
    await page.locator('.stage').waitFor()
    await stand()
  }

  // The next of the project, and back.
  await turn()
  await stand()
  await page.goBack()
  await page.waitForURL(shown)

  await page.locator('main .facts a[href^="/gear/"]').first().click()
  await page.waitForURL(/\/gear\//)
  await stand()
  const photographs = page.locator('main .photos a[href^="/portfolio/"]')
  assert.ok(await photographs.count() > 0, 'the gear page shows what was taken with it')
  await page.goBack()
  await page.waitForURL(shown)
  await page.goBack()
  await page.waitForURL(taken)
}

test('pages follow each other without a listing twice', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${site.url}/listings`)
  const seen = new Set()
  const pages = [page.url()]
  for (let turn = 0; turn < 3; turn++) {
    const links = await page.locator('.results a[href^="/listings/"]').evaluateAll((all) => [...new Set(all.map((a) => a.getAttribute('href')))])
    assert.ok(links.length > 0)
    for (const link of links) {
      assert.ok(!seen.has(link), `${link} is repeated`)
      seen.add(link)
    }
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL((url) => url.href !== pages.at(-1))
    pages.push(page.url())
  }
  for (const before of pages.slice(0, -1).reverse()) {
    await page.getByRole('link', { name: 'Previous page' }).click()
    await page.waitForURL(before)
  }
  await page.close()
})

test('the months of a chart are read out under the pointer', async () => {
  const found = await (await fetch(`${site.url}/api/listings/search?limit=100`)).json()
  const { gear } = found.listings.find((listing) => listing.deal?.sample_size >= 50)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${site.url}/gear/${gear}`)
  await page.locator('svg.chart:visible').hover()
  await page.locator('.tip', { hasText: /\d{4}: .*sales?$/ }).waitFor()
  await page.locator('h1').hover()
  await page.locator('.tip').waitFor({ state: 'hidden' })
  await page.close()
})

const number = (text) => Number(text.replace(/\D/g, ''))
const count = async (page) => number(await page.locator('.results-head .count').textContent())
