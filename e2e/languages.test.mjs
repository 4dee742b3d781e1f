// A reader of German sees no English: the texts of every page are compared with those of
// its English version.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './browser.mjs'
import { kindsOf, memberKindsOf } from './kinds.mjs'
import { signIn } from './members.mjs'
import { startSite } from './site.mjs'

// What people have written stays as it is, and so do code and the names of things.
const written = 'code, pre, kbd, .mark'

let site, browser

before(async () => {
  site = await startSite()
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

// englishOn returns the English texts of pages in German, for a member if there is one.
async function englishOn(kinds, member) {
  const page = await (await browser.newContext()).newPage()
  if (member) await signIn(page, site, member)
  else await page.goto(site.url)
  const found = []
  for (const [kind, address] of Object.entries(kinds)) {
    const english = await page.evaluate(sameTexts, { address, written })
    found.push(...english.map((text) => `${kind} (${address}): ${text}`))
  }
  await page.context().close()
  return found
}

// sameTexts returns the English sentences that a page has in both languages. It runs in
// the browser.
async function sameTexts({ address, written }) {
  const english = /\b(the|and|your|you|of|with|is|are|this|that|for|to|in|on|it|by|not|no|or|as|at|from|how|what|when|an|have|has|can)\b/i
  const textsIn = async (language) => {
    const answer = await fetch(address, { headers: { 'Accept': 'text/html', 'Accept-Language': language } })
    const { body, title } = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const texts = [title]
    for (const element of body.querySelectorAll('*')) {
      if (element.closest(`script, style, ${written}`)) continue
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.data)
      for (const { name, value } of element.attributes) if (/^(alt|title|placeholder|aria-label|data-.*)$/.test(name)) texts.push(value)
    }
    return texts.map((text) => text.replace(/\s+/g, ' ').trim())
  }
  const [en, de] = [new Set(await textsIn('en')), new Set(await textsIn('de'))]
  return [...de].filter((text) => en.has(text) && text.split(' ').length > 2 && english.test(text))
}
