// Tests what is around every page in a browser: the footer, the pages about the site, the
// web app manifest, and visited pages without a connection.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { posture, startBrowser, violations, watch } from './browser.mjs'
import { startSite } from './site.mjs'

const pages = ['help', 'buying', 'fees', 'shipping', 'safety', 'privacy', 'terms', 'imprint', 'about', 'offline']

let site, browser

before(async () => {
  site = await startSite({ shared: 'read' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// openBrowser resolves to a page whose service worker controls it.
async function openBrowser(options) {
  const context = await browser.newContext({ serviceWorkers: 'allow', ...options })
  const page = await context.newPage()
  await page.goto(site.url)
  await page.evaluate(() => navigator.serviceWorker.ready)
  return { context, page }
}

// storedPages resolves to the paths of the stored pages, oldest first.
function storedPages(page) {
  return page.evaluate(async () => {
    const name = (await caches.keys()).find((name) => name.startsWith('pages '))
    const requests = name ? await (await caches.open(name)).keys() : []
    return requests.map(({ url }) => new URL(url).pathname + new URL(url).search)
  })
}

// until resolves when ask resolves to something true.
async function until(ask) {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    if (await ask()) return
    await new Promise((later) => setTimeout(later, 100))
  }
  assert.fail(`never: ${ask}`)
}

test('the footer and the pages it leads to fit and are accessible', async () => {
  for (const [width, colorScheme] of [[320, 'light'], [1440, 'dark']]) {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme })
    const page = await context.newPage()
    const wrong = await watch(page, site)
    for (const name of pages) {
      const answer = await page.goto(`${site.url}/${name}`)
      assert.equal(answer.status(), 200, name)
      assert.deepEqual(await posture(page), [], `${name} at ${width}`)
      assert.deepEqual(await violations(page), [], `${name} in ${colorScheme}`)
    }
    assert.deepEqual(wrong, [])
    await context.close()
  }
})

test('the footer leads everywhere, is compact on a phone, and ends with what programs read', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(`${site.url}/gear`)
  const footer = page.locator('footer.foot')
  const links = await footer.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  for (const name of pages.filter((name) => name !== 'offline')) assert.ok(links.includes(`/${name}`), `no link to ${name}`)
  assert.deepEqual(links.slice(-3), ['/gear.md', '/gear.json', '/llms.txt'])
  for (const link of links.filter((link) => link.startsWith('/'))) {
    const answer = await context.request.get(site.url + link, { headers: { Accept: 'text/html,*/*;q=0.1' } })
    assert.ok(answer.ok(), `${link} is ${answer.status()}`)
  }
  assert.ok((await footer.boundingBox()).height < 844, 'the footer is higher than a phone')
  await page.goto(`${site.url}/listings?keyword=leica`)
  const feed = await context.request.get(site.url + await footer.getByRole('link', { name: 'RSS feed' }).getAttribute('href'))
  assert.match(feed.headers()['content-type'], /^application\/atom\+xml/)
  await context.close()
})

test('the site can be installed', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(site.url)
  const session = await context.newCDPSession(page)
  const { errors, data, url } = await session.send('Page.getAppManifest')
  assert.deepEqual(errors, [])
  assert.equal(url, `${site.url}/manifest.webmanifest`)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), [])
  const { icons } = JSON.parse(data)
  const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  for (const { src, sizes } of [...icons, { src: touch, sizes: '180x180' }]) {
    const [width, height] = await page.evaluate(async (src) => {
      const image = Object.assign(new Image(), { src })
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    }, src)
    assert.equal(`${width}x${height}`, sizes, src)
  }
  assert.ok(icons.some(({ sizes, purpose }) => sizes === '512x512' && purpose === 'maskable'))
  await context.close()
})

test('visited pages open without a connection, and others show what was viewed', async () => {
  const { context, page } = await openBrowser({ viewport: { width: 390, height: 844 } })
  const wrong = await watch(page, site)
  await page.goto(`${site.url}/listings`)
  await page.locator('.card a').first().click()
  await page.waitForURL(/\/listings\/[0-9a-f-]{36}/)
  const listing = page.url()
  const title = await page.locator('h1').textContent()
  await until(async () => (await storedPages(page)).includes(new URL(listing).pathname))
  await context.setOffline(true)

  await page.goto(listing)
  assert.equal(await page.locator('h1').textContent(), title)
  assert.match(await page.locator('.offline').textContent(), /^You're offline\. This page is as you last saw it, .+20\d\d, .+\.$/)
  assert.ok(await page.locator('main img').first().evaluate((image) => image.decode().then(() => image.naturalWidth > 0)))
  assert.ok(await page.evaluate(() => document.fonts.ready.then((fonts) => fonts.check('1em Fraunces'))))

  await page.goto(`${site.url}/gear/leica/m6`)
  await page.getByRole('heading', { level: 1, name: "You're offline" }).waitFor()
  const viewed = page.locator('#viewed .card a')
  assert.equal(await viewed.textContent(), title)
  await viewed.click()
  await page.waitForURL(listing)
  assert.equal(await page.locator('h1').textContent(), title)

  await page.goto(`${site.url}/gear/leica/m6`)
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: /Leica M6/ }).waitFor()
  assert.equal(await page.locator('.offline').count(), 0)
  assert.deepEqual(wrong.filter((what) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(what)), [])
  await context.close()
})

test('a search narrowed by script is stored, too', async () => {
  const { context, page } = await openBrowser()
  await page.goto(`${site.url}/listings`)
  await page.locator('.facet a[href^="/listings?"]').first().click()
  await page.waitForURL(/\?/)
  const narrowed = page.url()
  await until(async () => (await storedPages(page)).includes(narrowed.slice(site.url.length)))
  await context.setOffline(true)
  await page.goto(narrowed)
  await page.locator('.offline').waitFor()
  assert.ok(await page.locator('.card').count())
  await context.close()
})

test('no more than 40 pages are stored, the newest', async () => {
  const { context, page } = await openBrowser()
  const brands = await page.evaluate(async () => (await (await fetch('/gear.json')).json()).brands.map((brand) => brand.page))
  const visited = brands.slice(0, 43)
  assert.equal(visited.length, 43)
  for (const path of visited) {
    await page.goto(site.url + path, { waitUntil: 'commit' })
    await until(async () => (await storedPages(page)).at(-1) === path)
  }
  assert.deepEqual(await storedPages(page), visited.slice(-40))
  await context.close()
})

test('nothing of a member is stored, and signing out discards all pages', async () => {
  const { context, page } = await openBrowser()
  site.run(['member', 'create', '--handle', 'offline', '--email', 'offline@example.org', '--password-stdin'], 'four words in a row\n')
  await page.goto(`${site.url}/listings`)
  await page.goto(`${site.url}/sign-in`)
  await page.getByLabel('Email address').fill('offline@example.org')
  await page.getByLabel('Password').fill('four words in a row')
  await page.locator('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/account/)
  const before = await storedPages(page)
  assert.ok(before.includes('/listings'), `${before}`)
  for (const path of ['/account', '/gear', '/account/settings', '/sell']) await page.goto(site.url + path)
  await page.waitForTimeout(500)
  assert.deepEqual(await storedPages(page), before)
  await page.goto(`${site.url}/account`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await page.waitForURL((url) => !url.pathname.startsWith('/account'))
  await until(async () => !(await storedPages(page)).includes('/listings'))
  await context.setOffline(true)
  await page.goto(`${site.url}/listings`)
  await page.getByRole('heading', { level: 1, name: "You're offline" }).waitFor()
  await page.goto(`${site.url}/account`)
  await page.getByRole('heading', { level: 1, name: "You're offline" }).waitFor()
  await context.close()
})

test('a stored page can be read only', async () => {
  const { context, page } = await openBrowser()
  await page.goto(`${site.url}/sign-up`)
  await until(async () => (await storedPages(page)).includes('/sign-up'))
  await context.setOffline(true)
  await page.goto(`${site.url}/sign-up`)
  await page.locator('.offline').waitFor()
  const buttons = page.locator('form[method=post] button')
  assert.ok(await buttons.count())
  for (const button of await buttons.all()) assert.ok(await button.isDisabled())
  await context.close()
})
