// What a shopper's browser makes of the pages: read by eye, by keyboard, by
// screen reader, on a narrow screen, in the dark, and without JavaScript.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { kindsOf, missing } from './kinds.mjs'
import { startSite } from './site.mjs'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let site, browser, pages

before(async () => {
  site = await startSite()
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  assert.ok(existsSync(executablePath), `no browser at ${executablePath}: set CHROMIUM`)
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  pages = await kindsOf(site)
}, { timeout: 300_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// look opens an address in a context of its own and hands the page to see.
async function look(address, options, see) {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const wrong = complaints(page, site.url + address)
    const answer = await page.goto(site.url + address, { waitUntil: 'load' })
    assert.equal(answer.status(), address === missing ? 404 : 200, address)
    await see(page, wrong)
  } finally {
    await context.close()
  }
}

// complaints is what the browser finds wrong from now on: scripts that fail,
// rules of the security policy that are broken, things that do not come.
function complaints(page, address) {
  const wrong = []
  page.on('pageerror', (err) => wrong.push(String(err)))
  page.on('console', (said) => said.type() === 'error' && !said.text().startsWith('Failed to load resource') && wrong.push(said.text()))
  page.on('requestfailed', (request) => wrong.push(`${request.url()} ${request.failure()?.errorText}`))
  page.on('response', (answer) => answer.status() >= 400 && answer.url() !== address && wrong.push(`${answer.url()} ${answer.status()}`))
  return wrong
}

// each runs find on every kind of page, and fails with all that it found.
async function each(options, find) {
  const found = []
  for (const [kind, address] of Object.entries(pages)) {
    await look(address, options, async (page, wrong) => {
      for (const what of await find(page, wrong)) found.push(`${kind} (${address}): ${what}`)
    })
  }
  if (found.length > 0) assert.fail(`\n${found.join('\n')}`)
}

test('every page gets what it asks for', async () => {
  await each({}, async (page, wrong) => {
    await page.evaluate(() => document.querySelectorAll('img').forEach((img) => (img.loading = 'eager')))
    await page.waitForLoadState('networkidle')
    return wrong
  })
})

for (const colorScheme of ['light', 'dark']) {
  test(`every page is accessible, ${colorScheme}`, async () => {
    await each({ colorScheme, bypassCSP: true }, async (page) => {
      await page.addScriptTag({ path: axe })
      const { violations } = await page.evaluate((tags) => window.axe.run({ runOnly: tags }), rules)
      return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(', ')}`)
    })
  })
}

for (const width of [320, 768, 1440]) {
  test(`no page is wider than a screen of ${width} px`, async () => {
    await each({ viewport: { width, height: 900 } }, (page) => page.evaluate(() => {
      const limit = document.documentElement.clientWidth
      if (document.documentElement.scrollWidth <= limit) return []
      return [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > limit + 1).slice(0, 5).map((e) => `${e.tagName}.${e.className}`)
    }))
  })
}

test('nothing moves while a page loads', async () => {
  await each({ viewport: { width: 390, height: 844 } }, async (page) => {
    const shift = await page.evaluate(() => new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => list.getEntries().forEach((e) => (sum += e.value))).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 300)
    }))
    return shift < 0.02 ? [] : [`layout shift ${shift}`]
  })
})

test('every page has a language, a title, one first heading, and words for its pictures', async () => {
  await each({}, async (page) => {
    const facts = { 'html[lang]': 1, 'head > title:not(:empty)': 1, 'main': 1, 'h1': 1, 'img:not([alt])': 0 }
    const wrong = []
    for (const [what, wanted] of Object.entries(facts)) {
      const n = await page.locator(what).count()
      if (n !== wanted) wrong.push(`${n} of ${what}`)
    }
    return wrong
  })
})

test('a search works without JavaScript', async () => {
  await look('/', { javaScriptEnabled: false }, async (page) => {
    await page.getByRole('searchbox').first().fill('canon')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/listings\?.*keyword=canon/)
    const total = await count(page)
    assert.ok(total > 0)

    const facet = page.locator('.facet a').first()
    const promised = number(await facet.locator('xpath=..').locator('span').textContent())
    await facet.click()
    await page.waitForLoadState()
    assert.equal(await count(page), promised, 'a facet finds as many as it says')

    await page.locator('.chosen a.all').click()
    await page.waitForURL(/\/listings$/)
  })
})

test('pages follow each other without a listing twice', async () => {
  await look('/listings?sort=newest', { javaScriptEnabled: false }, async (page) => {
    const seen = new Set()
    for (let turn = 0; turn < 3; turn++) {
      const links = await page.locator('.results a[href^="/listings/"]').evaluateAll((all) => [...new Set(all.map((a) => a.getAttribute('href')))])
      assert.ok(links.length > 0)
      links.forEach((link) => {
        assert.ok(!seen.has(link), `${link} comes twice`)
        seen.add(link)
      })
      await page.getByRole('link', { name: 'More listings' }).click()
      await page.waitForURL(/cursor=/)
    }
  })
})

test('the keyboard reaches the content first, and the focus is seen', async () => {
  await look('/listings', {}, async (page) => {
    await page.keyboard.press('Tab')
    const skip = page.locator(':focus')
    assert.match(await skip.textContent(), /skip/i)
    assert.ok((await skip.boundingBox()).y >= 0, 'the skip link is on the screen when it has the focus')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main')
    for (let turn = 0; turn < 15; turn++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(() => {
        const e = document.activeElement
        const style = getComputedStyle(e)
        return { name: `${e.tagName} ${e.textContent.trim().slice(0, 30)}`, drawn: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none' }
      })
      assert.ok(focus.drawn, `no focus ring on ${focus.name}`)
    }
  })
})

test('the search page is light', async () => {
  const answer = await fetch(`${site.url}/listings?limit=24`, { headers: { 'Accept': 'text/html', 'Accept-Encoding': 'identity' } })
  const html = Buffer.from(await answer.arrayBuffer())
  assert.ok(html.length <= 90_000, `${html.length} bytes plain`)
  assert.ok(gzipSync(html).length <= 14_000, `${gzipSync(html).length} bytes compressed`)
})

const number = (text) => Number(text.replace(/\D/g, ''))
const count = async (page) => number(await page.locator('.results-head .count').textContent())
