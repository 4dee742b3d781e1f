// Checks the published documents with linters. openapi.yaml is openapi.json, which
// clients.test.mjs checks.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSite } from './site.mjs'

const program = (name, path) => join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path)
const redocly = program('@redocly/cli', 'bin/cli.js')
const spectral = program('@stoplight/spectral-cli', 'dist/index.js')

const documents = ['openapi.json', 'openapi-admin.json', 'openapi-health.json']

let site, folder

before(async () => {
  site = await startSite({ shared: 'read' })
  folder = mkdtempSync(join(tmpdir(), 'secondlight-openapi-'))
  writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
  for (const name of documents) {
    const answer = await fetch(`${site.url}/${name}`)
    assert.equal(answer.status, 200)
    writeFileSync(join(folder, name), await answer.text())
  }
}, { timeout: 600_000 })

after(async () => {
  await site?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

// run returns the output of a tool and fails if the tool does.
function run(...args) {
  const done = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  assert.equal(done.status, 0, done.stdout + done.stderr)
  return done.stdout + done.stderr
}

for (const name of documents) {
  test(`${name}: Redocly has nothing to say`, () => {
    assert.doesNotMatch(run(redocly, 'lint', '--format=stylish', name), /\d+ (problem|error|warning)/)
  })

  test(`${name}: Spectral has nothing to say`, () => {
    run(spectral, 'lint', '--ruleset=spectral.yaml', '--fail-severity=hint', name)
  })
}

test('openapi.json scores at least 92 for programs that choose by themselves', () => {
  const said = run(redocly, 'score', '--format=json', 'openapi.json')
  const { agentReadiness } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1))
  assert.ok(agentReadiness >= 92, `score ${agentReadiness}`)
})
