// MCP apps in a chat client: what they draw from real results, what they ask the client
// for, and that nothing a member writes can do anything.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import { connect, openApp } from './app-host.mjs'
import { startBrowser, violations } from './browser.mjs'
import { startSite } from './site.mjs'

const search = { tool: 'search_listings', args: { keyword: 'canon r6' } }
const trend = { tool: 'get_trend', args: { brand: 'canon', model: 'eos-r6' } }

let site, browser, client, listing

before(async () => {
  site = await startSite({ shared: 'read' })
  browser = await startBrowser()
  client = await connect(site)
  const found = await client.callTool({ name: 'search_listings', arguments: search.args })
  listing = { tool: 'get_listing', args: { id: found.structuredContent.listings[0].id } }
}, { timeout: 600_000 })

after(async () => {
  await client?.close()
  await browser?.close()
  await site?.stop()
})

// inApp opens the app of a tool call, runs a check, and fails if the app broke a rule of
// its frame.
async function inApp(call, check, screen = {}) {
  const context = await browser.newContext({ viewport: { width: 700, height: 1200 }, ...screen })
  try {
    const app = await openApp(context, client, site, call)
    await check(app)
    assert.deepEqual(app.problems, [])
    await app.close()
  } finally {
    await context.close()
  }
}

const texts = (frame, selector) => frame.locator(selector).allTextContents()

// euros returns an amount such as "1062.50 EUR" as pages show it: cents only if there are any.
function euros(amount) {
  const value = Number(amount.split(' ')[0])
  return `€${value.toLocaleString('en', { minimumFractionDigits: Number.isInteger(value) ? 0 : 2 })}`
}

test('a search shows cards with pictures, and more of them', () => inApp(search, async ({ frame, result, calls, mimeType, text }) => {
  assert.equal(mimeType, 'text/html;profile=mcp-app')
  assert.ok(text.length < 30_000)
  const { listings, total } = result.structuredContent
  assert.deepEqual(await texts(frame, 'h1'), ['“canon r6”'])
  assert.deepEqual(await texts(frame, '.count'), [`${total} listings`])
  assert.deepEqual(await texts(frame, '.card h2'), listings.slice(0, 6).map(({ title }) => title))
  await frame.waitForFunction(() => [...document.querySelectorAll('.card img')].filter((image) => image.naturalWidth > 0).length === 6)
  assert.deepEqual(calls, [{ name: 'search_listings', arguments: { keyword: 'canon r6', include: ['photos'] } }])
  for (let shown = 12; shown <= 24; shown += 6) {
    await frame.getByRole('button', { name: 'Show more' }).click()
    assert.equal(await frame.locator('.card').count(), shown)
  }
  await frame.getByRole('button', { name: 'Show more' }).click() // the next page, by its cursor
  await frame.locator('.card').nth(29).waitFor()
  const titles = await frame.locator('.card').evaluateAll((cards) => cards.map((card) => card.querySelector('.frame').dataset.id))
  assert.equal(new Set(titles).size, 30)
  assert.equal(calls.at(-1).arguments.cursor, result.structuredContent.next_cursor)
}))

test('prices and words are those of the page', () => inApp(search, async ({ frame, result }) => {
  const [first] = result.structuredContent.listings
  const page = await (await fetch(`${site.url}/listings/${first.id}.md`)).text()
  const price = await frame.locator('.card .price b').first().textContent()
  assert.ok(page.includes(price), `${price} is not on the page`)
  const [, region] = (await frame.locator('.card .line').nth(1).textContent()).split(' · ')
  assert.ok(page.includes(region), `${region} is not on the page`)
  assert.ok(page.includes(await frame.locator('.card .line').first().textContent()))
}))

test('a listing opens in the search, leads to its trend, and back', () => inApp(search, async ({ frame, result, told, links, calls }) => {
  const [{ id, title, gear }] = result.structuredContent.listings
  await frame.getByRole('button', { name: title }).first().click()
  await frame.getByRole('heading', { level: 1, name: title }).waitFor()
  await frame.waitForFunction(() => document.querySelector('.gallery img')?.naturalWidth > 0)
  await frame.getByRole('link', { name: 'View on' }).click()
  await frame.getByRole('button', { name: 'Price history' }).click()
  await frame.locator('.chart.wide .band').waitFor()
  assert.deepEqual(links, [`${site.url}/listings/${id}`])
  assert.deepEqual(told, [`The person opened listing ${id} in the app.`, `The person opened the price trend of ${gear} in the app.`])
  assert.ok(calls.some(({ name, arguments: args }) => name === 'get_trend' && args.months === 24))
  await frame.getByRole('button', { name: 'Back' }).click()
  await frame.getByRole('heading', { level: 1, name: title }).waitFor()
  await frame.getByRole('button', { name: 'Back' }).click()
  assert.equal(await frame.evaluate(() => document.activeElement.textContent), '“canon r6”')
}))

test('a trend draws its months and changes the period', () => inApp(trend, async ({ frame, result, sizes }) => {
  const { gear_name: name, estimate } = result.structuredContent
  assert.deepEqual(await texts(frame, 'h1'), [`${name}, ${estimate.condition.replace('_', ' ')}`])
  assert.equal((await texts(frame, '.tiles dd'))[0], euros(estimate.median))
  const dots = () => frame.locator('.chart.wide circle').count()
  await frame.locator('.chart.wide .band').waitFor()
  assert.ok(await dots() > 12 && await dots() <= 24, `${await dots()} months`)
  await frame.getByRole('button', { name: '1 year' }).click()
  await frame.waitForFunction(() => document.querySelectorAll('.chart.wide circle').length <= 12)
  await frame.getByText('Months as a table').click()
  assert.equal(await frame.locator('details tbody tr').count(), 12)
  await frame.getByRole('button', { name: /for sale/ }).click()
  await frame.getByRole('heading', { level: 1, name }).waitFor()
  await frame.locator('.card').first().waitFor()
  const height = await frame.evaluate(() => document.documentElement.getBoundingClientRect().height)
  await frame.waitForFunction((h) => Math.abs(innerHeight - h) <= 1, height)
  assert.ok(sizes.length > 1)
}))

test('a price shows how it compares', () => inApp({ tool: 'get_price', args: { gear: 'Canon R6', condition: 'excellent', price: '700' } }, async ({ frame }) => {
  assert.deepEqual(await texts(frame, 'h1'), ['Canon EOS R6, excellent'])
  assert.match((await texts(frame, '.price'))[0], /^Asking price €700\d+% below market/)
  await frame.locator('.chart.wide .band').waitFor()
}))

test('a client that opens no links and forwards no calls gets links', async () => {
  await inApp({ ...search, capabilities: {} }, async ({ frame, calls, result }) => {
    const link = frame.locator('.card h2 a').first()
    assert.equal(await link.getAttribute('href'), `${site.url}/listings/${result.structuredContent.listings[0].id}`)
    assert.equal(await frame.getByRole('button', { name: /trend/ }).count(), 0)
    assert.deepEqual(calls, [])
  })
  await inApp({ ...trend, capabilities: {} }, async ({ frame }) => assert.equal(await frame.locator('.chart.wide circle').count(), 6))
})

test('the whole page, errors and nothing found are shown', async () => {
  await inApp({ ...listing, args: { ...listing.args, detail: 'full' } }, ({ frame }) => frame.locator('.facts').waitFor())
  await inApp({ ...search, args: { ...search.args, detail: 'full' } }, ({ frame }) => frame.locator('.card').first().waitFor())
  await inApp({ ...trend, args: { ...trend.args, detail: 'full' } }, ({ frame }) => frame.locator('.chart .band').first().waitFor())
  await inApp({ ...trend, args: { brand: 'canon', model: 'eos-r66' } }, async ({ frame }) => assert.match((await texts(frame, '.status'))[0], /eos-r66/))
  await inApp({ ...trend, change: ({ content }) => ({ content }) }, async ({ frame }) => assert.deepEqual(await texts(frame, '.status'), ["This result can't be shown here."]))
  await inApp({ ...search, args: { keyword: 'canon r6', budget: '1-2' } }, async ({ frame }) => assert.match((await texts(frame, '.lead'))[0], /^No matches/))
})

test('what members write is text', async () => {
  const hostile = `<img src=x onerror="parent.postMessage('owned','*')"></script><script>document.title='owned'</script>\u202e«»`
  const change = (result) => {
    const { structuredContent: found } = result
    for (const item of [found, ...(found.listings ?? [])]) {
      Object.assign(item, { title: hostile, seller: '../../evil?"><b>', description: hostile, included: [hostile], defects: ['<b>x</b>'], region: '<i>', photos: ['https://evil.example/x.jpg', 'javascript:alert(1)'], photo: 'https://evil.example/x.jpg' })
    }
    return result
  }
  for (const call of [search, listing]) {
    await inApp({ ...call, change, capabilities: { openLinks: {} } }, async ({ frame, links }) => {
      assert.ok((await texts(frame, call === search ? '.card h2' : 'h1')).every((title) => title === hostile))
      assert.equal(await frame.locator('img, b b, main i, main script').count(), 0)
      assert.notEqual(await frame.title(), 'owned')
      for (const link of await frame.locator('main a').all()) assert.ok((await link.getAttribute('href')).startsWith(`${site.url}/`))
      if (call === listing) {
        await frame.locator('.facts a').click()
        assert.deepEqual(links, [`${site.url}/sellers/../../evil%3F%22%3E%3Cb%3E`].map((url) => new URL(url).href))
      }
    })
  }
})

test('the frame refuses what the app doesn\'t declare', async () => {
  const context = await browser.newContext()
  const { frame, problems, close } = await openApp(context, client, site, listing)
  await frame.evaluate(async (url) => {
    new Image().src = 'https://evil.example/x.jpg'
    await fetch(`${url}/api/health`).catch(() => {})
  }, site.url)
  assert.equal(problems.filter((problem) => /violates the following Content Security Policy/.test(problem)).length, 2, problems.join('\n'))
  await close()
  await context.close()
})

test('the theme of the client overrides that of the system', async () => {
  const ground = ({ frame }) => frame.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  for (const colorScheme of ['light', 'dark']) {
    await inApp({ ...listing, theme: 'dark' }, async (app) => {
      assert.equal(await ground(app), 'rgb(21, 17, 15)')
      await app.bridge.sendHostContextChange({ theme: 'light' })
      await app.frame.waitForFunction(() => getComputedStyle(document.documentElement).backgroundColor === 'rgb(251, 250, 247)')
    }, { colorScheme })
  }
})

for (const [name, call] of Object.entries({ search, trend, listing: null })) {
  for (const [theme, width] of [['light', 320], ['dark', 700]]) {
    test(`the app of a ${name} is accessible and fits, ${theme}, ${width} px`, () => inApp({ ...(call ?? listing), theme }, async ({ frame, text }) => {
      await frame.locator('.card img, .gallery img, .chart .band').first().waitFor({ state: 'attached' })
      assert.deepEqual(await violations(frame), [])
      assert.ok(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the frame')
      const { results } = await new HtmlValidate({ extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'] }).validateString(text)
      assert.deepEqual(results.flatMap(({ messages }) => messages.map(({ message, line }) => `${line}: ${message}`)), [])
    }, { viewport: { width, height: 1200 } }))
  }
}
