// Compiles the clients of ../clients, TypeScript under strict checks, and runs their
// examples against the site.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { startSite } from './site.mjs'

const here = new URL('.', import.meta.url).pathname
const clients = join(here, '../clients')
const inPackage = (name, file) => join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file)

let site, folder

before(async () => {
  site = await startSite({ shared: 'read' })
  mkdirSync(join(here, 'test-results'), { recursive: true })
  folder = mkdtempSync(join(here, 'test-results', 'clients-')) // below node_modules, where TypeScript looks
}, { timeout: 600_000 })

after(async () => {
  await site?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

// run returns the standard output of a program, and fails with all its output when the program does.
function run(program, args, cwd = folder) {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 })
  assert.equal(done.status, 0, done.stdout + done.stderr)
  return done.stdout
}

test('openapi.yaml is the same document as openapi.json', async () => {
  const read = async (name) => (await fetch(`${site.url}/${name}`)).text()
  let json, yaml
  do { // examples are of the site's data, which a job may change in between
    json = await read('openapi.json')
    yaml = await read('openapi.yaml')
  } while (json !== await read('openapi.json'))
  assert.deepEqual(parse(yaml, { maxAliasCount: -1 }), JSON.parse(json))
})

test('the TypeScript client compiles strictly and works', () => {
  for (const name of ['client.ts', 'schema.ts', 'example.ts']) copyFileSync(join(clients, 'typescript', name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  run(process.execPath, [inPackage('typescript', 'bin/tsc'), '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes',
    '--target', 'es2022', '--module', 'nodenext', 'example.ts'])
  assert.match(run(process.execPath, ['example.js', site.url]), / unauthenticated\n$/)
})

test('the Go client compiles and works', () => {
  assert.match(run('go', ['run', './example', site.url], join(clients, 'go')), /\d\.\d\d EUR\n$/)
})
