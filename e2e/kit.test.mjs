// Keeps a kit: gear is added by typing, valued, shown to an insurer, put up for sale and
// removed, on a phone and on a desktop, in both languages.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forgive, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
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

const devices = [
  ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'de-DE' }],
  ['desktop', { viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en-GB' }],
  ['desktop without JavaScript', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', locale: 'en-GB', javaScriptEnabled: false }],
]

for (const [device, options] of devices) {
  test(`a member keeps a kit on a ${device}`, { timeout: 600_000 }, async () => {
    const member = join(site, `kit-${device.replaceAll(' ', '-').toLowerCase()}`)
    const api = apiOf(site, tokenOf(site, member))
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const wrong = await watch(page, site)
    const german = options.locale === 'de-DE'
    const look = async (name) => {
      await settle(page)
      wrong.push(...(await posture(page)))
      if (options.javaScriptEnabled !== false) {
        wrong.push(...await violations(page))
        await forgive(page)
      }
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${device.replaceAll(' ', '-')}.png`, fullPage: true })
    }
    const main = page.getByRole('main')

    await signIn(page, site, member)
    await page.goto(`${site.url}/account/kit`)
    await look('kit-empty')
    await main.getByRole('link', { name: german ? 'Ausrüstung hinzufügen' : 'Add gear' }).first().click()
    await page.waitForURL('**/account/kit/new')
    await look('kit-new')
    await page.locator('[name=name]').fill('canon r6')
    await page.locator('[name=condition]').selectOption('excellent')
    await page.locator('[name=bought_on]').fill('2025-02-17')
    await page.locator('[name=paid]').fill(german ? '1.890' : '1,890')
    await page.locator('[name=serial]').fill('0123456789')
    await page.locator('[name=insured][type=checkbox]').check()
    await page.locator('form.form [type=submit]').click()
    await page.waitForURL(/\/account\/kit\/[0-9a-f-]{36}$/)
    const path = new URL(page.url()).pathname
    const item = await api('GET', `/api/me/kit/${path.split('/').at(-1)}`)
    assert.deepEqual([item.name, item.gear, item.condition, item.paid.amount, item.serial, item.insured, item.median.currency], ['canon r6', 'canon/eos-r6', 'excellent', '1890.00', '0123456789', true, 'EUR'])
    assert.equal(item.series[0].period, '2025-02')
    await look('kit-item')

    await page.locator('[name=name]').fill('Canon EOS R6')
    await page.locator('[name=alert][type=checkbox]').check()
    await page.locator('form.form [type=submit]').click()
    await page.locator('.done').waitFor()
    assert.equal((await api('GET', `/api/me/kit/${item.id}`)).alert, true)

    await api('POST', '/api/me/kit', { name: "Grandfather's folder", note: 'From the attic.' }, 201)
    await api('POST', '/api/me/kit', { name: 'Sony A7 III', condition: 'good', bought_on: '2024-03-02' }, 201)
    await page.goto(`${site.url}/account/kit`)
    assert.equal(await main.locator('tbody tr').count(), 3)
    assert.ok(!(await page.content()).includes('0123456789'), 'the list shows a serial number')
    await look('kit')
    await page.goto(`${site.url}/account/kit/export`)
    assert.match(await main.textContent(), /0123456789/)
    await look('kit-export')
    if (process.env.SHOTS) {
      await page.emulateMedia({ media: 'print' })
      await page.screenshot({ path: `${process.env.SHOTS}/kit-print-${device.replaceAll(' ', '-')}.png`, fullPage: true })
      await page.emulateMedia({ media: 'screen' })
    }

    await page.goto(site.url + path)
    await main.getByRole('link', { name: german ? 'Verkaufen' : 'Sell this' }).first().click()
    await page.waitForURL('**/sell?kit=*')
    assert.equal(await page.locator('[name=title]').inputValue(), 'Canon EOS R6')
    assert.equal(await page.locator('[name=condition]:checked').inputValue(), 'excellent')
    assert.equal(await page.locator('[name=serial]').inputValue(), '0123456789')

    await page.goto(site.url + path)
    await page.getByRole('button', { name: german ? 'Aus der Ausrüstung entfernen' : 'Remove from your kit' }).click()
    await page.waitForURL('**/account/kit')
    assert.equal((await api('GET', '/api/me/kit')).items.length, 2)
    assert.deepEqual(wrong, [])
    await context.close()
  })
}
