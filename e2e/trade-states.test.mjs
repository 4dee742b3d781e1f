// Opens every account page in every state of a trade, as buyer and as seller, on a phone and a
// desktop, with long names and six-digit prices: no text overlaps another or leaves its box,
// nothing covers what can be pressed, and one button at most is primary. So do the emails about them, in
// a narrow and a wide window, light and dark.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join as path } from 'node:path'
import { after, before, test } from 'node:test'
import { check, escapes, overlaps, startBrowser, violations, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { quotedPrintable } from './outbox.mjs'
import { startSite, top } from './site.mjs'

const money = (amount) => ({ amount, currency: 'EUR' })
const address = 'Bartholomäus Oberschwarzenberger-Niederstraßmeier\nDonaudampfschifffahrtsgesellschaftsstraße 123\n10115 Berlin\nGermany'
const posted = { delivery: 'shipping', address }
const soon = () => new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10) + 'T17:30'
const pickUp = () => ({ method: 'pickup', place: 'Hauptbahnhof, Haupteingang, unter der großen Uhr gegenüber der Buchhandlung', meet_at: soon() })

// Each state is what leads there after the offer: who sends what to which address below it.
const accept = ['seller', 'accept', {}]
const states = {
  pending: [posted],
  purchase: ['buy'],
  countered: [posted, ['seller', 'counter', { amount: money('912345.67'), message: 'Mit zwei Akkus. '.repeat(20) }]],
  accepted: [{}, accept],
  'delivery-proposed': [{}, accept, ['buyer', 'handover', { method: 'shipping', address }]],
  'collection-proposed': [{}, accept, ['seller', 'handover', pickUp()]],
  'to-send': [posted, accept],
  'to-collect': [{ delivery: 'pickup' }, accept],
  sent: [posted, accept, ['seller', 'complete', { carrier: 'DHL', tracking: '00340434161094042557003404341610940425570034043416', tracking_url: 'https://www.example.com/' + 'track/'.repeat(60) }]],
  received: [posted, accept, ['seller', 'complete', {}], ['buyer', 'receive', {}]],
  disputed: [posted, accept, ['seller', 'complete', {}], ['buyer', 'dispute', { text: 'Der Verschluss klemmt. '.repeat(40) }], ['seller', 'evidence', { text: 'Beim Einpacken ging er noch.' }]],
  confirmed: [posted, accept, ['seller', 'complete', {}], ['buyer', 'confirm', {}]],
  rated: [posted, accept, ['seller', 'complete', {}], ['buyer', 'confirm', {}], ['buyer', 'rating', { stars: 5 }, 201], ['seller', 'rating', { stars: 5 }, 201]],
  declined: [posted, ['seller', 'decline', {}]],
  withdrawn: [posted, ['buyer', 'withdraw', {}]],
  expired: [posted],
}
const widths = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

let site, browser
const people = {}, offers = {}

before(async () => {
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
  for (const role of ['seller', 'buyer']) {
    const member = join(site, `${role}-with-a-long-name`)
    people[role] = { member, api: apiOf(site, tokenOf(site, member)) }
    await settings(member, `${role} Oberschwarzenberger-Niederstraßmeier`)
  }
  for (const [state, steps] of Object.entries(states)) offers[state] = await reach(state, steps)
  execFileSync('go', ['run', './e2e/expire', path(site.folder, 'secondlight.db'), offers.expired.split('/').at(-1)], { cwd: top })
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

// settings gives a member a long name, and an account.
async function settings(member, name) {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, site, member)
  for (const [form, fields] of [['/account/settings', { Name: name }], ['/account/settings/trade', { 'Account holder': name, IBAN: 'DE02 1203 0000 0000 2020 51' }]]) {
    await page.goto(`${site.url}/account/settings`)
    const part = page.locator(`form[action="${form}"]`)
    for (const [label, value] of Object.entries(fields)) await part.getByLabel(label, { exact: true }).fill(value)
    await Promise.all([page.waitForNavigation(), part.getByRole('button', { name: 'Save' }).click()])
    assert.match(page.url(), /\/account/)
  }
  await page.context().close()
}

// reach takes a trade to a state and resolves to the path of its page.
async function reach(state, [first, ...steps]) {
  const { seller, buyer } = people
  const item = { gear: 'canon/eos-r6', title: `Sammlerstück ${state} mit Originalverpackung, Bedienungsanleitung, Schultergurt, Netzteil-Kombination-Donaudampfschifffahrt und Zubehör`, condition: 'excellent',
    functional: 'fully_working', price: '987654.32', region: 'DE', postage: 'DE 6.90, EU 14.90', buy_now: 'confirm' }
  const { id } = await seller.api('POST', '/api/listings', item, 201)
  await seller.api('POST', `/api/listings/${id}/publish`)
  const offer = first === 'buy' ? await buyer.api('POST', `/api/listings/${id}/buy`, posted, 201)
    : await buyer.api('POST', `/api/listings/${id}/offers`, { amount: money('901234.56'), message: 'Ich könnte sie am Samstag abholen. '.repeat(10), ...first }, 201)
  for (const [who, step, body, status] of steps) await people[who].api('POST', `/api/offers/${offer.id}/${step}`, body, status)
  return `/account/offers/${offer.id}`
}

// misplaced returns texts that leave their box, and buttons and links that something covers.
const misplaced = async (page) => [...await escapes(page), ...await covered(page)]

// covered returns buttons and links that something covers.
const covered = (page) => page.evaluate(async () => {
  const wrong = []
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest('.sr-only')
  for (const e of document.querySelectorAll('main a, main button, main input:not([type=hidden]), main summary, main textarea, main select')) {
    if (!shown(e)) continue
    e.scrollIntoView({ block: 'center', behavior: 'instant' })
    const r = [...e.getClientRects()].find((r) => r.width > 4 && r.height > 4)
    if (!r) continue
    const top = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)
    if (top && !e.contains(top) && !top.contains(e)) wrong.push(`“${(e.textContent || e.name).trim().slice(0, 40)}” is covered by ${top.tagName}.${top.className}`)
  }
  return wrong
})

for (const role of ['buyer', 'seller']) {
  for (const [screen, viewport] of Object.entries(widths)) {
    test(`every state as ${role} on a ${screen}`, { timeout: 600_000 }, async () => {
      const context = await browser.newContext({ viewport })
      const page = await context.newPage()
      const wrong = await watch(page, site)
      await signIn(page, site, people[role].member)
      const pages = Object.entries(offers).concat(['/account', '/account/offers', '/account/offers?role=seller', '/account/listings', '/account/messages', '/account/settings'].map((path) => [path, path]))
      const problems = []
      for (const [state, path] of pages) {
        const answer = await page.goto(site.url + path)
        assert.equal(answer.status(), 200, path)
        await check(page, wrong, `${state.replaceAll('/', '-')}-${role}`).catch((e) => problems.push(`${state}: ${e.message}`))
        problems.push(...(await misplaced(page)).map((what) => `${state}: ${what}`))
        if (state === path) continue
        const primary = await page.locator('main button:visible, main a.button:visible').evaluateAll((all) => all.filter((e) => !e.classList.contains('quiet')).map((e) => e.textContent.trim()))
        if (primary.length !== 1) problems.push(`${state}: the primary buttons are ${JSON.stringify(primary)}`)
        // Everything that is folded.
        await page.evaluate(() => document.querySelectorAll('main details').forEach((details) => (details.open = true)))
        problems.push(...(await misplaced(page)).map((what) => `${state}, unfolded: ${what}`))
      }
      assert.deepEqual(problems, [])
      await context.close()
    })
  }
}

// emails returns one email of each kind that the site has sent, as HTML, by its subject without the
// state in the title.
function emails() {
  const outbox = path(site.folder, 'outbox')
  const found = {}
  for (const name of readdirSync(outbox).filter((name) => name.endsWith('.eml'))) {
    const mail = readFileSync(path(outbox, name), 'utf8').replace(/\r\n/g, '\n')
    const part = mail.split(/\n--[^\n]+\n/).find((part) => /^content-type: text\/html/im.test(part))
    const kind = quotedPrintable(mail.match(/^subject:((.|\n )*)/im)[1].replace(/\?=\n? =\?utf-8\?q\?|=\?utf-8\?q\?|\?=/gi, '').replaceAll('_', ' ')).replace(/Sammlerstück [\w-]+/, '').replace(/\s+/g, ' ').trim().slice(0, 60)
    if (part) found[kind] ??= quotedPrintable(part.slice(part.indexOf('\n\n') + 2))
  }
  return found
}

test('every email reads in a narrow window and a wide one, light and dark', { timeout: 300_000 }, async () => {
  const sent = Object.entries(emails())
  assert.ok(sent.length >= 4, `emails: ${sent.map(([subject]) => subject)}`)
  const problems = []
  for (const width of [320, 640]) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, javaScriptEnabled: true })
      const page = await context.newPage()
      for (const [subject, html] of sent) {
        await page.setContent(html)
        const buttons = await page.locator('.button').count()
        const wrong = [...await overlaps(page), ...await violations(page, 'body', ['color-contrast']), ...(buttons === 1 ? [] : [`${buttons} buttons`])]
        problems.push(...wrong.map((what) => `${subject}, ${width} px, ${colorScheme}: ${what}`))
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/email-${sent.findIndex(([s]) => s === subject)}-${width}-${colorScheme}.png`, fullPage: true })
      }
      await context.close()
    }
  }
  assert.deepEqual(problems, [])
})
