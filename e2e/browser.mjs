// Helpers that run Chromium and collect problems of pages.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'

// Debian's chromium-headless-shell is Chromium without its user interface: the tests take a
// third less processor time in it.
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
export const executablePath = process.env.CHROMIUM ?? programs.find((program) => existsSync(program)) ?? programs[0]

const options = { executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] }

// serveBrowser resolves to a browser that test files share by its BROWSER_ENDPOINT.
export function serveBrowser() {
  assert.ok(existsSync(executablePath), `no browser at ${executablePath}: set CHROMIUM`)
  return chromium.launchServer({ ...options, host: '127.0.0.1' })
}

// startBrowser resolves to a browser whose pages have long timeouts, for a busy machine, and
// no service workers unless a context allows them: with a debugger attached, such as
// Playwright's, a navigation may hang while a new worker replaces the old one. With
// BROWSER_ENDPOINT in the environment, it is the browser served there, of which close
// closes the contexts of this process.
export async function startBrowser() {
  const endpoint = process.env.BROWSER_ENDPOINT
  if (!endpoint) assert.ok(existsSync(executablePath), `no browser at ${executablePath}: set CHROMIUM`)
  const browser = endpoint ? await chromium.connect(endpoint) : await chromium.launch(options)
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open({ serviceWorkers: 'block', ...options })
    context.setDefaultTimeout(patience)
    return context
  }
  return browser
}

export const patience = 120_000 // milliseconds that anything may take which has to happen

// watch collects problems of a page from now on: failing scripts, violations of the
// content security policy, failing requests, and requests to other sites. The page
// itself may be an error page.
export async function watch(page, site) {
  const wrong = []
  page.on('pageerror', (err) => wrong.push(String(err)))
  // Scripts of the test itself are blocked in the preview of the look, which has none of its own.
  const expected = /^Failed to load resource|^Blocked script execution in 'about:/
  page.on('console', (said) => said.type() === 'error' && !expected.test(said.text()) && wrong.push(said.text()))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    if (why !== 'net::ERR_ABORTED') wrong.push(`${request.url()} ${why}`) // a page that was left
  })
  page.on('request', (request) => new URL(request.url()).origin === site.url || request.url().startsWith('data:') || wrong.push(`asks ${request.url()}`))
  page.on('response', (answer) => answer.status() >= 400 && !answer.request().isNavigationRequest() && wrong.push(`${answer.url()} ${answer.status()}`))
  await page.addInitScript(() => {
    globalThis.violations = []
    globalThis.shift = 0
    document.addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`))
    globalThis.moved = []
    globalThis.shifts = new PerformanceObserver((list) => list.getEntries().filter((entry) => !entry.hadRecentInput).forEach((entry) => {
      globalThis.shift += entry.value
      const name = (node) => node ? `${node.nodeName}.${node.className ?? ''}` : 'removed'
      const at = (rect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(' ')
      globalThis.moved.push(`${entry.value.toFixed(3)} at ${Math.round(entry.startTime)} ms: ${entry.sources.map((s) => `${name(s.node)} ${at(s.previousRect)} → ${at(s.currentRect)}`).join(', ')}`)
    }))
    globalThis.shifts.observe({ type: 'layout-shift', buffered: true })
  })
  return wrong
}

// hold keeps a script of the site from a page, as a slow connection does, and resolves to a
// function that lets it through.
export async function hold(page, script) {
  let release
  const released = new Promise((resolve) => (release = resolve))
  await page.route(new RegExp(`/static/${script}\\b.*\\.js`), async (route) => {
    await released
    await route.continue()
  })
  return release
}

// settle waits until every picture is loaded, including those below the fold.
export async function settle(page) {
  await page.evaluate(async () => {
    const pictures = [...document.images]
    pictures.forEach((picture) => (picture.loading = 'eager'))
    await Promise.all([document.fonts.ready, ...pictures.map((picture) => picture.decode().catch(() => {}))])
  })
}

// forgive discards layout shifts so far, because they were requested by the user: the
// browser itself does so only for half a second after a key or a click. Without
// JavaScript nothing is painted for it to wait for.
export async function forgive(page) {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    globalThis.shifts.takeRecords()
    globalThis.shift = 0
    globalThis.moved = []
  })
}

// posture returns problems of a settled page's layout.
export async function posture(page) {
  return page.evaluate(() => {
    const wrong = [...(globalThis.violations ?? [])]
    if (globalThis.shift > 0.02) wrong.push(`layout shift ${globalThis.shift.toFixed(3)}: ${globalThis.moved.join('; ')}`)
    return wrong
  }).then(async (wrong) => [...wrong, ...await overlaps(page)])
}

// strain puts a name of 40 letters and a price of six digits wherever a page has one, in its
// language, and resolves to how many there were. No data has to be made for it.
export function strain(page) {
  return page.evaluate(() => {
    const german = document.documentElement.lang === 'de'
    let strained = 0
    for (const name of document.querySelectorAll('a[href^="/sellers/"], .me a, .by b, .seller .name a, .card h3 a')) {
      name.textContent = 'Oberschwarzenberger-Niederstraßmeier Ann' + (name.closest('.card') ? `, ${name.textContent}` : '')
      strained++
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node; (node = walker.nextNode());) {
      const cents = !node.parentElement.closest('svg')
      const price = german ? `987.654${cents ? ',32' : ''}\u00a0€` : `€987,654${cents ? '.32' : ''}`
      const long = node.data.replace(/€\d[\d.,]*\d|\d[\d.,]*[\s\u00a0]€/g, price)
      if (long !== node.data) strained++
      node.data = long
    }
    return strained
  })
}

// overlaps returns what is wider than a page, texts that overlap, and texts that leave their box.
export async function overlaps(page) {
  return page.evaluate(() => {
    const wrong = []
    const limit = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth > limit) {
      const wide = [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > limit + 1)
      wrong.push(`wider than ${limit} px: ${wide.slice(0, 5).map((e) => `${e.tagName}.${e.className}`).join(', ')}`)
    }
    return wrong
  }).then(async (wrong) => [...wrong, ...await collisions(page), ...await escapes(page)])
}

// escapes returns texts that leave the box of their element.
export function escapes(page) {
  return page.evaluate(() => {
    const wrong = []
    const range = document.createRange()
    for (const e of document.querySelectorAll('main *')) {
      const texts = [...e.childNodes].filter((node) => node.nodeType === 3 && node.data.trim())
      if (texts.length === 0 || e.closest('svg, .sr-only')) continue
      const holder = getComputedStyle(e).display === 'inline' ? e.parentElement : e
      const hidden = !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      if (hidden || [e, holder].some((each) => getComputedStyle(each).overflowX !== 'visible')) continue // a box that scrolls or cuts
      const box = holder.getBoundingClientRect()
      for (const text of texts) {
        range.selectNodeContents(text)
        if ([...range.getClientRects()].some((r) => r.width > 1 && (r.left < box.left - 1.5 || r.right > box.right + 1.5))) wrong.push(`the text “${text.data.trim().slice(0, 40)}” leaves its box`)
      }
    }
    return wrong.slice(0, 5)
  })
}

// collisions returns pairs of texts that overlap, as when a style meets an element that it is
// not for. Texts that stay in place while the page scrolls may cover others.
function collisions(page) {
  return page.evaluate(() => {
    const texts = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node; (node = walker.nextNode());) {
      const parent = node.parentElement
      if (!node.data.trim() || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const clip = clipOf(parent)
      if (!clip) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const r of range.getClientRects()) {
        const box = { left: Math.max(r.left, clip.left), right: Math.min(r.right, clip.right), top: Math.max(r.top, clip.top), bottom: Math.min(r.bottom, clip.bottom), node }
        const shown = box.right > 0 && box.bottom + scrollY > 0 // links for skipping are above the page until they have the focus
        if (shown && box.right - box.left > 2 && box.bottom - box.top > 2) texts.push(box)
      }
    }
    texts.sort((a, b) => a.top - b.top)
    const wrong = []
    for (let i = 0; i < texts.length && wrong.length < 5; i++) {
      for (let j = i + 1; j < texts.length && texts[j].top < texts[i].bottom; j++) {
        const [a, b] = [texts[i], texts[j]]
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (a.node !== b.node && wide > 3 && high > 0.4 * Math.min(a.bottom - a.top, b.bottom - b.top)) {
          wrong.push(`the text “${a.node.data.trim().slice(0, 40)}” overlaps “${b.node.data.trim().slice(0, 40)}”`)
        }
      }
    }
    return wrong

    // clipOf returns the box that an element is seen in, or null if it is over the page.
    function clipOf(element) {
      const clip = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity }
      for (let e = element; e && e !== document.body; e = e.parentElement) {
        const style = getComputedStyle(e)
        if (['fixed', 'sticky'].includes(style.position) || e.matches('dialog, [popover]')) return null
        if (style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none') {
          const r = e.getBoundingClientRect()
          if (r.width <= 2 || r.height <= 2) return null
          Object.assign(clip, { left: Math.max(clip.left, r.left), right: Math.min(clip.right, r.right), top: Math.max(clip.top, r.top), bottom: Math.min(clip.bottom, r.bottom) })
        }
      }
      return clip
    }
  })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

// violations returns what axe finds in the part of a page, or of a frame, that a selector
// matches, by all rules or those given. It runs in the debugger, so that the page's content
// security policy stays in force. Only violations leave the page: all results are about a
// megabyte, which takes longer to send than to find.
export async function violations(page, selector = 'html', only = rules) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(axe)
  const found = await page.evaluate(async ([part, runOnly]) => (await globalThis.axe.run(part, { runOnly, resultTypes: ['violations'] })).violations, [selector, only])
  return found.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => `${n.target.join(' ')} ${n.html.slice(0, 200)}`).join(', ')}`)
}

// check asserts that a page has no problem of layout, policy or accessibility, and none of
// wrong, which watch collects. With SHOTS in the environment it takes a screenshot there.
export async function check(page, wrong, name = new URL(page.url()).pathname.replaceAll('/', '-')) {
  await settle(page)
  assert.deepEqual([...wrong, ...(await posture(page))], [], page.url())
  assert.deepEqual(await violations(page), [], page.url())
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${page.viewportSize().width}.png`, fullPage: true })
}
