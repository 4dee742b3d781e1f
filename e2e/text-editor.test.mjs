// The editor of texts: buttons and keys write Markdown, and pictures that are pasted or dropped are shown where the cursor is.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { patience, startBrowser, watch } from './browser.mjs'
import { join, signIn } from './members.mjs'
import { photographs } from './photographs.mjs'
import { startSite } from './site.mjs'

let site, browser, page, text, wrong

before(async () => {
  site = await startSite({ DEMO: 'false' })
  browser = await startBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })).newPage()
  page.setDefaultTimeout(patience)
  wrong = await watch(page, site)
  await signIn(page, site, join(site, 'olga', { operator: true }))
  await page.goto(`${site.url}/journal`)
  await page.getByRole('link', { name: 'Write an entry' }).click()
  await page.getByLabel('Title').fill('Winter on the coast')
  await page.getByRole('button', { name: 'Start writing' }).click()
  text = page.getByRole('textbox', { name: 'Text', exact: true })
  await page.getByRole('toolbar').waitFor()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

const select = (from, to = from) => text.evaluate((field, [from, to]) => {
  field.focus()
  field.setSelectionRange(from, to)
}, [from, to])

test('buttons and keys write Markdown around the selection, and are undone', async () => {
  const cases = [
    // before, selection, button or key, after
    ['a grey sea', [2, 6], 'Bold', 'a **grey** sea'],
    ['a grey sea', [2, 6], 'Control+b', 'a **grey** sea'],
    ['a grey sea', [2, 6], 'Control+i', 'a *grey* sea'],
    ['a grey sea', [2, 6], 'Italic', 'a *grey* sea'],
    ['a grey sea', [2, 6], 'Link', 'a [grey](https://) sea'],
    ['a grey sea', [2, 6], 'Control+k', 'a [grey](https://) sea'],
    ['a grey sea', [2], 'Bold', 'a ****grey sea'],
    ['one\ngrey sea', [6], 'Heading', 'one\n## grey sea'],
    ['one\ntwo\nthree', [5, 12], 'List', 'one\n- two\n- three'],
  ]
  for (const [from, selection, act, to] of cases) {
    await text.fill(from)
    await select(...selection)
    await (act.includes('+') ? page.keyboard.press(act) : page.getByRole('toolbar').getByRole('button', { name: act, exact: true }).click())
    assert.equal(await text.inputValue(), to, act)
    await page.keyboard.press('Control+z')
    assert.equal(await text.inputValue(), from, `${act}, undone`)
  }
  await text.fill('## Harbours')
  await page.locator('#preview h2', { hasText: 'Harbours' }).waitFor()
})

for (const [name, data] of [['paste', 'clipboardData'], ['drop', 'dataTransfer']]) {
  test(`a picture is added with ${name}, at the cursor`, async () => {
    const [picture] = await photographs(browser, 1)
    await text.fill('before after')
    await select(6)
    await text.evaluate((field, { name, data, bytes }) => {
      const given = new DataTransfer()
      given.items.add(new File([new Uint8Array(bytes)], 'sea.jpg', { type: 'image/jpeg' }))
      const Event = name === 'paste' ? ClipboardEvent : DragEvent
      field.dispatchEvent(new Event(name, { [data]: given, bubbles: true, cancelable: true }))
    }, { name, data, bytes: [...picture] })
    await page.locator('#preview img').waitFor()
    assert.match(await text.inputValue(), /^before\n\n!\[\]\([^)]+\)\n\n after$/)
    const [from, to] = await text.evaluate((field) => [field.selectionStart, field.selectionEnd])
    assert.deepEqual([from, to], ['before\n\n!['.length, 'before\n\n!['.length], 'the cursor is where its description belongs')
    await text.fill('')
    await page.locator('#preview img').waitFor({ state: 'detached' })
  })
}

test('text that is pasted stays text', async () => {
  await text.fill('')
  await text.focus()
  await text.evaluate((field) => {
    const given = new DataTransfer()
    given.setData('text/plain', 'plain')
    const event = new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true })
    globalThis.refused = !field.dispatchEvent(event)
  })
  assert.equal(await page.evaluate(() => globalThis.refused), false)
  assert.deepEqual(wrong, [])
})
