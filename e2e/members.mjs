// Members of a site under test, created by commands and signed in by form.

// join creates a member and resolves to it.
export function join(site, handle, { operator = false } = {}) {
  const member = { handle, operator, email: `${handle}@example.org`, password: `a long enough secret of ${handle}` }
  const args = ['member', 'create', '--handle', handle, '--email', member.email, '--region', 'DE', '--password-stdin']
  site.run(operator ? [...args, '--operator'] : args, `${member.password}\n`)
  return member
}

// setUp sets up an empty site in a browser, which is signed in as its owner afterwards. It
// resolves to the link, which works once: a new one, or the one given.
export async function setUp(site, page, look = () => {}, given = '') {
  const link = (given || site.run(['setup']).trim()).replace(/^http:\/\/[^/]+/, site.url)
  await page.goto(link)
  await look()
  await page.getByLabel('Name of the site').fill('Foto Ecke')
  await page.getByLabel('Your name').fill('Ada Ortega')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Email address').fill('ada@example.org')
  await page.getByLabel('Password').fill('four words in a row')
  await page.getByLabel('Currency').fill('CHF')
  await page.getByLabel('Country').selectOption('CH')
  await page.locator('select[name=language]').selectOption('en')
  await page.getByRole('radio', { name: /^Empty/ }).check()
  await page.getByRole('button', { name: 'Set up the site' }).click()
  await page.waitForURL('**/admin/checklist')
  return link
}

// tokenOf creates a token for a member, by default with the scopes of their role but those that change the site.
export function tokenOf(site, member, scopes = `listings:write,offers:write,messages:write,watch:write,account:read,tokens:write${member.operator ? ',moderation' : ''}`) {
  return site.run(['token', 'create', '--handle', member.handle, '--scope', scopes]).trim()
}

// signIn signs a browser in.
export async function signIn(page, site, member) {
  await page.goto(`${site.url}/sign-in`)
  await page.getByLabel(/e-?mail/i).fill(member.email)
  await page.getByLabel(/password|passwort/i).fill(member.password)
  await page.getByRole('main').getByRole('button', { name: /sign in|^anmelden/i }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

// apiOf returns a function that calls the API with a member's token.
export function apiOf(site, token) {
  return async (method, path, body, status = 200) => {
    const answer = await fetch(site.url + path, {
      method, headers: { Authorization: `Bearer ${token}`, Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) }, body: body && JSON.stringify(body),
    })
    const said = await answer.json()
    if (answer.status !== status) throw new Error(`${method} ${path} is ${answer.status}: ${JSON.stringify(said)}`)
    return said
  }
}

// cookieOf resolves to the session cookie of a member.
export async function cookieOf(site, member) {
  const body = new URLSearchParams({ email: member.email, password: member.password })
  const answer = await fetch(`${site.url}/sign-in`, { method: 'POST', body, redirect: 'manual', headers: { Accept: 'text/html' } })
  const [cookie] = answer.headers.getSetCookie().map((field) => field.split(';')[0]).filter((field) => field.startsWith('session='))
  if (!cookie) throw new Error(`${member.handle} is not let in: ${answer.status}`)
  return cookie
}
