// A member signs in, sells, makes offers and writes messages using only the keyboard.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './browser.mjs'
import { apiOf, join, tokenOf } from './members.mjs'
import { startSite } from './site.mjs'

let site, browser

before(async () => {
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('forms are filled in and sent with the keyboard alone', { timeout: 600_000 }, async (t) => {
  if (!site.run) return t.skip('nobody may make members of another site')
  const ann = join(site, 'ann-keys')
  const bob = join(site, 'bob-keys')
  const page = await browser.newPage()
  await page.goto(`${site.url}/sign-in?next=/sell`)
  await fill(page, { email: ann.email, password: ann.password }, 'Sign in')
  await page.waitForURL(/\/sell$/)
  await fill(page, {
    title: 'Canon EOS R6 boxed', condition: 'excellent', functional: 'fully_working', defects: 'dents', included: 'battery',
    description: 'Bought new.', region: 'Germany', price: '999', shutter_count: '12,000', serial: '42',
  }, 'Save draft')
  await page.waitForURL(/\/sell\/[0-9a-f-]{36}$/)
  const id = page.url().split('/').pop()
  const ask = apiOf(site, tokenOf(site, ann))
  const stored = await ask('GET', `/api/listings/${id}`)
  assert.equal(stored.condition, 'excellent')
  assert.equal(stored.region, 'DE')
  assert.deepEqual(stored.price, { amount: '999.00', currency: 'EUR' })
  assert.deepEqual(stored.defects.map((d) => d.code), ['dents'])
  await fill(page, {}, 'Publish')
  await page.getByRole('heading', { name: 'Publish without photos?' }).waitFor()
  await fill(page, {}, 'Publish without photos')
  await page.waitForURL(new RegExp(`/listings/${id}$`))
  await page.goto(`${site.url}/account`)
  await fill(page, {}, 'Sign out')
  await page.waitForURL((url) => url.pathname !== '/account')

  await page.goto(`${site.url}/sign-in?next=/listings/${id}`)
  await fill(page, { email: bob.email, password: bob.password }, 'Sign in')
  await page.waitForURL(new RegExp(`/listings/${id}$`))
  await fill(page, {}, 'Make an offer')
  await page.locator('#make-offer-amount').waitFor()
  await fill(page, { amount: '900', address: 'Hauptstraße 1, 10115 Berlin', message: 'Nine hundred?' }, 'Send offer')
  await page.waitForURL(/\/account\/offers\//)
  assert.match(await page.getByRole('main').textContent(), /Nine hundred\?/)
  await page.close()
})

// fill moves through the page with Tab, types values into the fields, and presses
// the button or follows the link. It fails if a field was not reached.
async function fill(page, values, button) {
  const left = { ...values }
  await page.locator('#main').focus()
  for (let turn = 0; turn < 150; turn++) {
    await page.keyboard.press('Tab')
    const on = await page.evaluate(() => {
      const e = document.activeElement
      return { tag: e.tagName, name: e.name, type: e.type, value: e.value, text: e.textContent.trim() }
    })
    if ((on.tag === 'BUTTON' || on.tag === 'A') && on.text === button) {
      assert.deepEqual(left, {}, `fields that Tab did not come to before ${button}`)
      await page.keyboard.press('Enter')
      return
    }
    if (!(on.name in left)) continue
    const value = left[on.name]
    if (on.type === 'radio') {
      for (let step = 0; step < 20 && (await page.evaluate(() => document.activeElement.value)) !== value; step++) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
    } else if (on.type === 'checkbox') {
      if (on.value !== value) continue
      await page.keyboard.press('Space')
    } else if (on.tag === 'SELECT') { // by arrows: letters must follow each other within a second
      const shown = () => page.evaluate(() => document.activeElement.selectedOptions[0].textContent.trim())
      for (let step = 0; step < 500 && (await shown()) !== value; step++) await page.keyboard.press('ArrowDown')
      assert.equal(await shown(), value)
    } else {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(value)
    }
    delete left[on.name]
  }
  assert.fail(`no button ${button} was reached by Tab; not filled in: ${Object.keys(left)}`)
}
