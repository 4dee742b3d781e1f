// Members of a site under test: made by the operator's commands, signed in by form.

// join makes a member and resolves to who they are.
export function join(site, handle, { operator = false } = {}) {
  const member = { handle, email: `${handle}@example.org`, password: `a long enough secret of ${handle}` }
  const args = ['member', 'create', '--handle', handle, '--email', member.email, '--region', 'DE', '--password-stdin']
  site.run(operator ? [...args, '--operator'] : args, `${member.password}\n`)
  return member
}

// tokenOf makes a token of a member with scopes, all of them unless told.
export function tokenOf(site, member, scopes = 'listings:write,offers:write,messages:write,account:read') {
  return site.run(['token', 'create', '--handle', member.handle, '--scope', scopes]).trim()
}

// signIn signs a browser in.
export async function signIn(page, site, member) {
  await page.goto(`${site.url}/sign-in`)
  await page.getByLabel(/e-mail/i).fill(member.email)
  await page.getByLabel(/password/i).fill(member.password)
  await page.getByRole('main').getByRole('button', { name: /sign in/i }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

// apiOf is the API as a member's program asks it: a body makes a write of it.
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

// cookieOf is the cookie of a browser in which a member has signed in.
export async function cookieOf(site, member) {
  const body = new URLSearchParams({ email: member.email, password: member.password })
  const answer = await fetch(`${site.url}/sign-in`, { method: 'POST', body, redirect: 'manual', headers: { Accept: 'text/html' } })
  const [cookie] = answer.headers.getSetCookie().map((field) => field.split(';')[0]).filter((field) => field.startsWith('session='))
  if (!cookie) throw new Error(`${member.handle} is not let in: ${answer.status}`)
  return cookie
}
