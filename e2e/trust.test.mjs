// A seller proves that they have the item, an operator confirms it, and a theft is
// reported: three browsers, two of them narrow, in both colour schemes.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { startSite } from './site.mjs'

const folder = fileURLToPath(new URL('../content/portfolio/', import.meta.url))
const photo = folder + readdirSync(folder, { recursive: true }).find((name) => String(name).endsWith('.jpg'))


let site, browser, seller, operator, victim

before(async () => {
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
  seller = await person('tess-seller', { viewport: { width: 390, height: 844 } })
  victim = await person('vic-victim', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  operator = await person('olga-operator', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }, { operator: true })
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('a photo with a code earns the badge', { timeout: 300_000 }, async () => {
  const listing = await seller.api('POST', '/api/listings', { gear: 'canon/eos-r6', title: 'Canon EOS R6 with proof', condition: 'excellent', price: '999', region: 'DE', serial: 'SN-4711' }, 201)
  await seller.api('POST', `/api/listings/${listing.id}/publish`)
  await seller.go(`/sell/${listing.id}`)
  await seller.press('Get a code')
  const code = (await seller.text('#possession .code')).trim()
  assert.match(code, /^[A-Z0-9]{3}-[A-Z0-9]{3}$/)
  await seller.page.locator('#possession input[type=file]').setInputFiles(photo)
  await seller.press('Send photo')
  assert.match(await seller.text('#possession'), /An operator will look at it/)
  assert.equal(await seller.page.locator('#possession img').count(), 1)

  await operator.go('/account/moderation')
  await operator.follow(operator.page.getByRole('link', { name: 'Checks: 1' }))
  assert.match(await operator.text('#possession'), new RegExp(code))
  await operator.shoot('checks')
  await operator.press('Reject the photo', 400)
  await operator.page.getByLabel(/What's wrong/).fill('We can’t read the code.')
  await operator.press('Reject the photo')
  await seller.go(`/sell/${listing.id}`)
  assert.match(await seller.text('#possession'), /can’t read the code/)
  await seller.shoot('rejected')
  await seller.page.locator('#possession input[type=file]').setInputFiles(photo)
  await seller.page.getByLabel(/show it with the photos/).check()
  await seller.press('Send photo')
  await operator.go('/account/moderation/checks')
  await operator.press('Confirm the photo')
  assert.match(await operator.text('main'), /Nothing to check/)

  await victim.go(`/listings/${listing.id}`)
  assert.match(await victim.text('.buy'), /Photo-verified/)
  await victim.shoot('badge')
  await victim.go('/listings?seller=tess-seller')
  assert.match(await victim.text('.card'), /Photo-verified/)
  await victim.shoot('card')
  done()
})

test('a stolen serial number is held', { timeout: 300_000 }, async () => {
  await victim.go('/stolen')
  await victim.page.getByLabel('What was stolen?').fill('Nikon Z6')
  await victim.page.getByLabel('Serial number').fill('6012345')
  await victim.page.getByLabel('When?').fill('2026-01-02')
  await victim.page.getByLabel('Where?').fill('Hamburg')
  await victim.page.getByLabel(/police report/).first().fill('260102-77')
  await victim.page.locator('input[type=file]').setInputFiles(photo)
  await victim.shoot('theft')
  await victim.press('Send report')
  assert.match(await victim.text('main'), /an operator is checking it/)
  await operator.go('/account/moderation/checks')
  await operator.press('Accept the report')

  const listing = await seller.api('POST', '/api/listings', { gear: 'nikon/z6', title: 'Nikon Z6, barely used', condition: 'excellent', price: '600', region: 'DE', serial: '60 12345' }, 201)
  await seller.go(`/sell/${listing.id}`)
  await seller.press('Publish', 409)
  await seller.press('Publish without photos')
  assert.match(await seller.text('main'), /checking this listing/)
  assert.doesNotMatch(await seller.text('body'), /is for sale\.|stolen serial|vic-victim/)
  await seller.shoot('held')
  await operator.go('/account/moderation/checks')
  assert.match(await operator.text('#held'), /reported as stolen.*Hamburg/s)
  await operator.shoot('held')
  await operator.press('Approve listing')
  await victim.go(`/listings/${listing.id}`)
  done()
})

// done checks that nothing went wrong on the pages.
function done() {
  for (const who of [seller, operator, victim]) assert.deepEqual(who.wrong, [])
}

// person is a member with a browser and a token.
async function person(handle, screen, options) {
  const member = join(site, handle, options)
  const page = await (await browser.newContext(screen)).newPage()
  const wrong = await watch(page, site)
  await signIn(page, site, member)
  const stand = async () => {
    await page.waitForLoadState('load')
    await settle(page)
    wrong.push(...(await posture(page)).map((what) => `${page.url()}: ${what}`))
  }
  const mark = () => page.evaluate(() => (globalThis.marked = true))
  const left = () => page.waitForFunction(() => !globalThis.marked)
  return {
    page, wrong, api: apiOf(site, tokenOf(site, member)),
    text: (selector) => page.locator(selector).first().innerText(),
    async shoot(name) {
      wrong.push(...await violations(page))
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${handle}-${name}.png`, fullPage: true })
    },
    async go(path) {
      const answer = await page.goto(site.url + path)
      assert.equal(answer.status(), 200, path)
      await stand()
    },
    async follow(link) {
      await mark()
      await link.click()
      await left()
      await stand()
    },
    async press(name, status = 303) {
      await mark()
      const [answer] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'POST'),
        page.getByRole('main').getByRole('button', { name, exact: true }).click(),
      ])
      assert.equal(answer.status(), status, `${name} for ${handle}: ${answer.status() === status ? '' : await page.getByRole('main').textContent()}`)
      if (answer.request().isNavigationRequest()) await left()
      await stand()
    },
  }
}
