// Runs the browser tests, two files at a time: the files share one program, one copy of
// demonstration data, three sites (see startSite) and one browser, in which each test has
// contexts of its own. Arguments select files.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { serveBrowser } from './browser.mjs'
import { memberKindsOf } from './kinds.mjs'
import { startSite, top } from './site.mjs'

const here = join(top, 'e2e')
const results = join(here, 'test-results')
const files = process.argv.length > 2 ? process.argv.slice(2) : readdirSync(here).filter((name) => name.endsWith('.test.mjs'))

mkdirSync(results, { recursive: true })
process.env.SITE_PROGRAM = join(results, 'secondlight')
execFileSync('go', ['build', '-o', process.env.SITE_PROGRAM, './cmd/secondlight'], { cwd: top, stdio: 'inherit' })
process.env.SITE_DEMO = await makeDemo(join(results, 'demo'))

const sites = await startSites()
const browser = await serveBrowser()
process.env.SITES = JSON.stringify(sites)
process.env.BROWSER_ENDPOINT = browser.wsEndpoint()
const tests = spawn(process.execPath, ['--test', '--test-concurrency=2', ...files], { cwd: here, stdio: 'inherit' })
process.exitCode = await new Promise((resolve) => tests.once('exit', (status) => resolve(status ?? 1)))
await browser.close()
await Promise.all(Object.values(sites).map(({ stop }) => stop()))

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
