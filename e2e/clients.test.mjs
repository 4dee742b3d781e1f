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

// run returns what a program writes to its standard output, or another stream, and fails with all
// its output when the program does.
function run(program, args, cwd = folder, env = process.env, stream = 'stdout') {
  const done = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 << 20 })
  assert.equal(done.status, 0, done.stdout + done.stderr)
  return done[stream]
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

test('npm pack makes a package of the TypeScript client that works', () => {
  const { filename, files } = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], join(clients, 'typescript')))[0]
  assert.deepEqual(files.map(({ path }) => path).sort(), ['dist/client.d.ts', 'dist/client.js', 'dist/schema.d.ts', 'dist/schema.js', 'package.json'])
  const own = join(folder, 'node_modules', '@secondlight', 'client')
  mkdirSync(own, { recursive: true })
  run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', own])
  writeFileSync(join(folder, 'uses.ts'), `import { ok, pages, secondlight } from '@secondlight/client'
const { GET } = secondlight('${site.url}')
const { total } = ok(await GET('/api/listings/search', { params: { query: { limit: 1 } } }))
for await (const page of pages((cursor) => GET('/api/listings/search', { params: { query: { limit: 1, ...(cursor && { cursor }) } } }))) {
  console.log(total > 0, page.listings.length)
  break
}
`)
  run(process.execPath, [inPackage('typescript', 'bin/tsc'), '--strict', '--target', 'es2022', '--module', 'nodenext', 'uses.ts'])
  assert.equal(run(process.execPath, ['uses.js']), 'true 1\n')
})

test('go get adds the Go client from the repository', () => {
  const repository = 'github.com/secondlight/secondlight'
  const commit = run('git', ['rev-parse', 'HEAD'], here).trim()
  const top = run('git', ['rev-parse', '--path-format=absolute', '--git-common-dir'], here).trim()
  const user = join(folder, 'user')
  mkdirSync(user)
  writeFileSync(join(user, 'go.mod'), 'module example.org/user\n\ngo 1.26\n')
  writeFileSync(join(user, 'main.go'), `package main\n\nimport secondlight "${repository}/clients/go"\n\nfunc main() { _, err := secondlight.NewClientWithResponses("https://shop.example"); println(err == nil, secondlight.Attempts) }\n`)
  const env = { ...process.env, GOPRIVATE: repository, GOMODCACHE: join(folder, 'modules'), GOFLAGS: '-modcacherw', GIT_CONFIG_COUNT: '2', GIT_ALLOW_PROTOCOL: 'file:https',
    GIT_CONFIG_KEY_0: `url.file://${top}.insteadOf`, GIT_CONFIG_VALUE_0: `https://${repository}`, GIT_CONFIG_KEY_1: 'safe.directory', GIT_CONFIG_VALUE_1: '*' }
  run('go', ['get', `${repository}/clients/go@${commit}`], user, env)
  assert.equal(run('go', ['run', '.'], user, env, 'stderr'), 'true 4\n')
})

test('pip wheel makes a package of the Python client that works', (t) => {
  if (spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return t.skip('pip is not installed')
  const wheels = join(folder, 'wheels')
  run('python3', ['-m', 'pip', 'wheel', '--no-deps', '--no-index', '--wheel-dir', wheels, join(clients, 'python')])
  run('python3', ['-m', 'pip', 'install', '--no-deps', '--no-index', '--find-links', wheels, '--target', join(folder, 'installed'), 'secondlight-client'])
  const program = `from secondlight import Client; print(Client(${JSON.stringify(site.url)}).get("/api/listings/search", limit=1)["total"] > 0)`
  assert.equal(run('python3', ['-c', program], folder, { ...process.env, PYTHONPATH: join(folder, 'installed') }), 'True\n')
})
