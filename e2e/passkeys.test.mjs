// Tests passkeys in Chromium with a virtual authenticator: added to the account, used
// to sign in, suspended by a password reset, kept, and removed.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startBrowser, watch } from './browser.mjs'
import { mails } from './outbox.mjs'
import { startSite } from './site.mjs'

const person = { handle: 'keyholder', email: 'keyholder@example.org', password: 'a few words in a row' }
let site, browser

before(async () => {
  site = await startSite({ name: 'localhost' }) // passkeys are for names, not for addresses
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('a passkey is added, signs in, is kept after a reset, and is removed', { timeout: 600_000 }, async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const wrong = await watch(page, site)
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  })
  const keys = async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length

  await page.goto(`${site.url}/sign-up`)
  await page.getByLabel('Username').fill(person.handle)
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.waitForURL('**/sign-up/sent')
  const [link] = (await mails(join(site.folder, 'outbox'), person.email, 'confirm'))[0].match(/http:\S+code=[\w-]+/)
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await page.waitForURL('**/account')

  await page.goto(`${site.url}/account/passkeys`)
  await page.getByLabel('Name').fill('My telephone')
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Remove My telephone' }).waitFor()
  assert.equal(await keys(), 1, 'the authenticator holds the key')

  await page.goto(`${site.url}/account`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${site.url}/`)
  await page.goto(`${site.url}/sign-in?next=${encodeURIComponent('/account/settings')}`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/account/settings')
  const [session] = (await context.cookies()).filter((cookie) => cookie.name.endsWith('session'))
  assert.ok(session.httpOnly && session.sameSite === 'Lax', 'scripts and other sites cannot use the session')

  const password = 'other words in a row'
  await page.goto(`${site.url}/reset-password`)
  await page.getByLabel('Email address').fill(person.email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.waitForURL('**/reset-password/sent')
  const [reset] = (await mails(join(site.folder, 'outbox'), person.email, 'reset-password/new'))[0].match(/http:\S+code=[\w-]+/)
  await page.goto(reset)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.waitForURL('**/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey is suspended').waitFor()
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/account/passkeys')
  await page.getByRole('button', { name: 'Keep My telephone' }).click()
  await page.getByText('You can sign in with this passkey again.').waitFor()
  await page.goto(`${site.url}/account`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${site.url}/`)
  await page.goto(`${site.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/account')

  await page.goto(`${site.url}/account/passkeys`)
  assert.match(await page.locator('main').innerText(), /used \d/)
  await page.getByRole('button', { name: 'Remove My telephone' }).click()
  await page.getByText('Passkey removed.').waitFor()
  assert.deepEqual(wrong, [`${site.url}/sign-in/passkey 401`], 'nothing goes wrong but the suspended passkey')

  await page.goto(`${site.url}/account`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${site.url}/`)
  await page.goto(`${site.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('registered here').waitFor()
  await context.close()
})
