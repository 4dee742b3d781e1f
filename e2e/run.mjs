// Runs the browser tests, two files at a time: the files share one program, one copy of
// demonstration data, three sites (see startSite) and one browser, in which each test has
// contexts of its own. Arguments select files.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { serveBrowser } from './browser.mjs'
import { memberKindsOf } from './kinds.mjs'
import { startSite, top } from './site.mjs'

const here = join(top, 'e2e')
const results = join(here, 'test-results')
const longest = ['pages', 'trades', 'owner', 'apps'].map((name) => `${name}.test.mjs`) // they start first
const found = readdirSync(here).filter((name) => name.endsWith('.test.mjs'))
const chosen = process.argv.slice(2).map((name) => basename(name))
const files = chosen.length > 0 ? chosen : [...new Set([...longest, ...found])]

mkdirSync(results, { recursive: true })
process.env.SITE_PROGRAM = join(results, 'secondlight')
execFileSync('go', ['build', '-o', process.env.SITE_PROGRAM, './cmd/secondlight'], { cwd: top, stdio: 'inherit' })
process.env.SITE_DEMO = await makeDemo(join(results, 'demo'))

const sites = await startSites()
const browser = await serveBrowser()
process.env.SITES = JSON.stringify(sites)
process.env.BROWSER_ENDPOINT = browser.wsEndpoint()
await runTests()
await browser.close()
await Promise.all(Object.values(sites).map(({ stop }) => stop()))

// runTests runs the files and reports their tests, then how many seconds the longest files
// took, and at the end why tests failed.
async function runTests() {
  const seconds = {}
  const count = ({ file, nesting, details }) => {
    if (file && nesting === 0) seconds[basename(file)] = (seconds[basename(file)] ?? 0) + details.duration_ms / 1000
  }
  const failures = []
  const tests = run({ files: files.map((name) => join(here, name)), concurrency: 2 })
    .on('test:pass', count).on('test:fail', (event) => {
      count(event)
      failures.push(`${basename(event.file ?? '')}: ${event.name}: ${String(event.details.error.cause ?? event.details.error).slice(0, 1000)}`)
      process.exitCode = 1
    })
  for await (const text of tests.compose(new spec())) process.stdout.write(text)
  for (const [name, took] of Object.entries(seconds).sort(([, a], [, b]) => b - a).slice(0, 10)) console.log(`${took.toFixed(0).padStart(5)} s ${name}`)
  for (const failure of failures) console.log(`failed: ${failure}`)
}

// makeDemo makes demonstration data in a folder, with price estimates, and resolves to the
// folder: copying takes a tenth of the time of making the data, and a site that has the
// estimates of today does not make them again.
async function makeDemo(folder) {
  rmSync(folder, { recursive: true, force: true })
  const site = await startSite()
  site.run(['prices', 'fit', '--months', '2'])
  await site.stop((data) => cpSync(data, folder, { recursive: true }))
  return folder
}

// startSites resolves to the sites that files share, by name. That of kinds has members in
// the middle of a trade.
async function startSites() {
  const [read, kinds, write] = await Promise.all([startSite(), startSite(), startSite()])
  return { read, kinds: { ...kinds, inTrade: await memberKindsOf(kinds) }, write }
}
