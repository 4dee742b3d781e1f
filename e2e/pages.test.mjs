// Tests every kind of page in a browser: on a narrow screen, for screen readers, by
// keyboard, in dark mode, and the size of its requests.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { overlaps, posture, settle, startBrowser, strain, violations, watch } from './browser.mjs'
import { kindsOf, memberKindsOf, missing } from './kinds.mjs'
import { signIn } from './members.mjs'
import { startSite } from './site.mjs'

const colourRules = ['color-contrast', 'link-in-text-block'] // those that see colours

// Every page is tested in each of these. axe runs narrow, in both colour schemes: most of its
// time goes into colours. In one of them pictures load after the first paint, as on a slow
// connection. Then every name has 40 letters and every price six digits, and no text overlaps
// another at the widths of the screen. With SCREENS=all, axe runs wide in both languages, too, and
// names and prices are long at all widths in both.
const all = process.env.SCREENS === 'all'
const everyWidth = [360, 768, 1280, 1920]
const screens = [
  { viewport: { width: 320, height: 800 }, colorScheme: 'light', axe: true, otherScheme: true, widths: all ? everyWidth : [360] },
  { viewport: { width: 768, height: 1024 }, colorScheme: 'dark', locale: 'de-DE', late: true, widths: all ? everyWidth : [360, 768] },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', axe: all, widths: all ? [] : [1280, 1920] },
  ...(all ? [{ viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'de-DE', axe: true }] : []),
]

let site, browser, pages

before(async () => {
  site = await startSite({ shared: 'kinds' })
  browser = await startBrowser()
  pages = await kindsOf(site)
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

for (const { axe: withAxe, otherScheme, late, widths, ...screen } of screens) {
  const name = `${screen.viewport.width} px, ${screen.colorScheme}${screen.locale ? ', in German' : ''}${withAxe ? ', and is accessible' : ''}`
  test(`every page stands, ${name}`, async () => {
    const context = await browser.newContext(screen)
    const found = await look(context, pages, { withAxe, otherScheme, late, widths })
    await context.close()
    if (found.length > 0) assert.fail(`\n${found.join('\n')}`)
  })
  test(`every page of a member stands, ${name}`, async (t) => {
    if (!site.run) return t.skip('nobody may make members of another site')
    inTrade ??= memberKindsOf(site)
    const { members, kinds } = await inTrade
    const found = []
    for (const [who, theirs] of Object.entries(kinds)) {
      const context = await browser.newContext(screen)
      const page = await context.newPage()
      await signIn(page, site, members[who])
      await page.close()
      found.push(...await look(context, theirs, { withAxe, otherScheme, late, widths }))
      await context.close()
    }
    if (found.length > 0) assert.fail(`\n${found.join('\n')}`)
  })
}

let inTrade // members in the middle of a trade, made once

// holdPictures delays pictures until the page was painted. Only the page is asked: the frame of a
// picture may allow no scripts.
function holdPictures(context) {
  return context.route('**/*', async (route) => {
    const request = route.request()
    try {
      if (request.resourceType() === 'image') {
        await request.frame().page().evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
      }
      await route.continue()
    } catch {
      // The page was closed.
    }
  })
}

// look returns the problems of pages in a browser.
async function look(context, pages, { withAxe, otherScheme, late, widths }) {
  if (late) await holdPictures(context)
  const found = []
  for (const [kind, address] of Object.entries(pages)) {
    const page = await context.newPage()
    const wrong = await watch(page, site)
    const answer = await page.goto(site.url + address, { waitUntil: 'load' })
    if (answer.status() !== (address === missing ? 404 : 200)) wrong.push(`status ${answer.status()}`)
    await settle(page)
    wrong.push(...await posture(page), ...await outline(page))
    const header = await page.locator('header.top').boundingBox()
    if (page.viewportSize().width < 600 && header.height > 125) wrong.push(`the header is ${header.height} px high`)
    if (withAxe) wrong.push(...await (otherScheme ? inBothSchemes(page) : violations(page)))
    wrong.push(...await strained(page, widths))
    found.push(...wrong.map((what) => `${kind} (${address}): ${what}`))
    await page.close()
  }
  return found
}

// strained returns what overlaps at some widths when names and prices are long.
async function strained(page, widths = []) {
  const wrong = []
  if (widths.length > 0) await strain(page)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    wrong.push(...(await overlaps(page)).map((what) => `at ${width} px, with long names and prices: ${what}`))
  }
  return wrong
}

// outline returns problems of a page's language, title, headings and alternative texts.
async function outline(page) {
  const facts = { 'html[lang]': 1, 'head > title:not(:empty)': 1, 'main': 1, 'h1': 1, 'img:not([alt])': 0 }
  const wrong = []
  for (const [what, wanted] of Object.entries(facts)) {
    const n = await page.locator(what).count()
    if (n !== wanted) wrong.push(`${n} of ${what}`)
  }
  return wrong
}

// inBothSchemes returns what axe finds, also in the colours of the other scheme.
async function inBothSchemes(page) {
  const found = await violations(page)
  const colorScheme = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark'))
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  return [...found, ...(await violations(page, 'html', colourRules)).map((what) => `${colorScheme}: ${what}`)]
}

test('the keyboard reaches the content first, and the focus is seen', async () => {
  const page = await browser.newPage()
  await page.goto(`${site.url}/listings`)
  await page.keyboard.press('Tab')
  const skip = page.locator(':focus')
  assert.match(await skip.textContent(), /skip/i)
  assert.ok((await skip.boundingBox()).y >= 0, 'the skip link is on the screen when it has the focus')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement.id === 'main')
  for (let turn = 0; turn < 15; turn++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(() => {
      const e = document.activeElement
      const style = getComputedStyle(e)
      return { name: `${e.tagName} ${e.textContent.trim().slice(0, 30)}`, drawn: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none' }
    })
    assert.ok(focus.drawn, `no focus ring on ${focus.name}`)
  }
  await page.close()
})

// Limits on the transfer size of the home and search pages, in bytes, by kind. A document is
// at most about what a server sends at once: 10 segments of 1,460 bytes (RFC 6928).
const budget = { document: 14_800, stylesheet: 18 << 10, script: 6_900, font: 90 << 10 }

for (const address of ['/', '/listings', '/listings?keyword=50mm']) {
  test(`${address} is light`, async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const wrong = await watch(page, site)
    const came = []
    page.on('requestfinished', (request) => came.push(request))
    await page.goto(site.url + address, { waitUntil: 'networkidle' })
    await settle(page)
    const weight = {}
    for (const request of came) weight[request.resourceType()] = (weight[request.resourceType()] ?? 0) + (await request.sizes()).responseBodySize
    for (const [kind, most] of Object.entries(budget)) {
      assert.ok(weight[kind] > 0, `${kind}: nothing was fetched`)
      assert.ok(weight[kind] <= most, `${kind}: ${weight[kind]} bytes, at most ${most}`)
    }
    assert.deepEqual(wrong, [])
    await page.close()
  })

  for (const [encoding, decode] of [['br', brotliDecompressSync], ['gzip', gunzipSync]]) {
    test(`the HTML of ${address} is light as ${encoding}`, async () => {
      const body = await packed(site.url + address, encoding)
      assert.ok(decode(body).toString().startsWith('<!'))
      assert.ok(body.length <= budget.document, `${body.length} bytes`)
    })
  }
}

// packed resolves to the compressed body of a page.
async function packed(address, encoding) {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get(address, { headers: { 'Accept': 'text/html', 'Accept-Encoding': encoding } }, (answer) => {
      const parts = []
      assert.equal(answer.headers['content-encoding'], encoding)
      answer.on('data', (part) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)))
    }).on('error', reject)
  })
}

test('paper has no buttons, fields or menus', { timeout: 120_000 }, async () => {
  inTrade ??= memberKindsOf(site)
  const { members, kinds } = await inTrade
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await signIn(page, site, members.bob)
  await page.emulateMedia({ media: 'print' })
  const found = []
  for (const [kind, address] of Object.entries({ ...pages, ...kinds.bob })) {
    if (!['home', 'search', 'search-filtered', 'category', 'listing', 'gear', 'brand', 'prices', 'compare', 'guide', 'project', 'photo', 'offer-made', 'offer-completed', 'hand-over-buyer', 'watchlist'].includes(kind)) continue
    await page.goto(site.url + address)
    const shown = await page.locator('button, .button, input:not([type=hidden]), select, textarea, nav.crumbs, .pager').evaluateAll((all) => all.filter((e) => e.checkVisibility()).map((e) => `${e.tagName}.${e.className} “${(e.textContent || e.name).trim().slice(0, 30)}”`))
    if (shown.length > 0) found.push(`${kind}: ${[...new Set(shown)].slice(0, 6).join(', ')}`)
  }
  await context.close()
  assert.deepEqual(found, [])
})

test('the headline of a search is no larger than that of a section', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  for (const kind of ['search', 'search-filtered', 'search-nothing', 'category']) {
    await page.goto(site.url + pages[kind])
    const size = await page.locator('h1').evaluate((h1) => parseFloat(getComputedStyle(h1).fontSize))
    assert.ok(size <= 32, `${kind}: ${size} px`)
  }
  await page.close()
})
