// A reader of German sees no English: the texts of every page are compared with those of
// its English version.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './browser.mjs'
import { kindsOf, memberKindsOf } from './kinds.mjs'
import { signIn } from './members.mjs'
import { startSite } from './site.mjs'

// Pages of the site itself, whose data is its own text.
const own = ['about', 'error', 'errors', 'guide', 'guides', 'help', 'imprint', 'privacy', 'reference']

// Names that are the same in German.
const names = ['Isle of Man', 'As Is (AI)']

// What programs read is in English, and says so.
const forPrograms = ['error', 'errors', 'reference']

// Pages that contain another page, whose texts are not in their JSON.
const previews = ['site-preview']

let site, browser

before(async () => {
  site = await startSite({ shared: 'kinds' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('German pages have no English', { timeout: 600_000 }, async () => {
  assert.deepEqual(await englishOn(await kindsOf(site)), [])
})

test('German pages of members have no English', { timeout: 600_000 }, async (t) => {
  if (!site.run) return t.skip('nobody may make members of another site')
  const { members, kinds } = await memberKindsOf(site)
  const found = []
  for (const [who, theirs] of Object.entries(kinds)) found.push(...await englishOn(theirs, members[who]))
  assert.deepEqual(found, [])
})

test('members read times in the zone of their browser', { timeout: 600_000 }, async (t) => {
  if (!site.run) return t.skip('nobody may make members of another site')
  const { members, kinds } = await memberKindsOf(site)
  const said = {}
  for (const timezoneId of ['Pacific/Auckland', 'America/New_York']) {
    const page = await (await browser.newContext({ timezoneId })).newPage()
    await signIn(page, site, members.ann)
    await page.goto(site.url + kinds.ann.conversation)
    const time = page.locator('main time').first()
    const there = new Date(await time.getAttribute('datetime')).toLocaleTimeString('en-GB', { timeZone: timezoneId, hour: '2-digit', minute: '2-digit' })
    said[timezoneId] = await time.innerText()
    assert.match(said[timezoneId], new RegExp(`^\\d+ \\w{3} \\d{4}, ${there}$`))
    await page.context().close()
  }
  assert.notEqual(said['Pacific/Auckland'], said['America/New_York'])
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await signIn(page, site, members.ann)
  await page.goto(site.url + kinds.ann.conversation)
  assert.match(await page.locator('main time').first().innerText(), /^\d+ \w{3} \d{4}, \d\d:\d\d [A-Z+-]/, 'without JavaScript, the zone is named')
  await page.context().close()
})

// englishOn returns the English texts of pages in German, for a member if there is one.
async function englishOn(kinds, member) {
  const page = await (await browser.newContext()).newPage()
  if (member) await signIn(page, site, member)
  else await page.goto(site.url)
  const found = []
  for (const [kind, address] of Object.entries(kinds)) {
    if (previews.includes(kind)) continue
    const english = await page.evaluate(sameTexts, { address, isOwn: own.includes(kind), skipped: 'script, style, code, pre, kbd' + (forPrograms.includes(kind) ? ', [lang=en]' : '') })
    found.push(...english.filter((text) => !names.includes(text)).map((text) => `${kind} (${address}): ${text}`))
  }
  await page.context().close()
  return found
}

// sameTexts returns the English texts that a page has in both languages, except for what
// people have written, which is data of the page. It runs in the browser.
async function sameTexts({ address, isOwn, skipped }) {
  const english = /\b([Tt]he|[Aa]nd|[Yy]ours?|[Yy]ou|[Oo]f|[Ww]ith|is|[Aa]re|[Tt]his|[Tt]hat|[Ff]or|[Tt]o|[Oo]n|[Ii]t|[Bb]y|[Nn]ot|[Nn]o|or|[Aa]s|[Aa]t|[Ff]rom|[Hh]ow|[Ww]hat|[Ww]hen|[Hh]as|[Hh]ave|[Cc]an)\b/
  const dataKeys = ['alt', 'bio', 'body', 'brand', 'caption', 'description', 'included', 'label', 'last_message', 'model', 'name', 'note', 'notice', 'place', 'project', 'statement', 'subject', 'summary', 'tags', 'text', 'title']
  const plain = (text) => text.replace(/\s+/g, ' ').trim()
  const load = async (type, language) => {
    const answer = await fetch(address, { headers: { 'Accept': type, 'Accept-Language': language } })
    return answer.text()
  }
  const textsIn = async (language) => {
    const { body, title } = new DOMParser().parseFromString(await load('text/html', language), 'text/html')
    const texts = skipped.includes('lang=en') ? [] : [title]
    for (const element of body.querySelectorAll('*')) {
      if (element.closest(skipped)) continue
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.data)
      for (const { name, value } of element.attributes) if (/^(alt|title|placeholder|aria-label|data-.*)$/.test(name) && !name.endsWith('sizes')) texts.push(value)
    }
    return new Set(texts.map(plain))
  }
  const written = []
  if (!isOwn) {
    JSON.parse(await load('application/json', 'en'), (key, value) => {
      for (const text of [value].flat()) if (typeof text === 'string' && dataKeys.includes(key)) written.push(plain(text))
      return value
    })
  }
  written.sort((a, b) => b.length - a.length)
  const isEnglish = (text) => {
    if (written.some((data) => data.includes(text))) return false
    const rest = written.reduce((text, data) => (data.includes(' ') ? text.replaceAll(data, '') : text), text)
    return text.split(' ').length > 2 && english.test(rest)
  }
  const [en, de] = [await textsIn('en'), await textsIn('de')]
  return [...de].filter((text) => en.has(text) && isEnglish(text))
}
