// The published document, read by the linter its users would use.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSite } from './site.mjs'

const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
const redocly = join(dirname(manifest), 'bin/cli.js')

let site, folder

before(async () => {
  site = await startSite()
  folder = mkdtempSync(join(tmpdir(), 'secondlight-openapi-'))
}, { timeout: 300_000 })

after(async () => {
  await site?.stop()
  if (folder) rmSync(folder, { recursive: true })
})

for (const name of ['openapi.json', 'openapi.yaml']) {
  test(`${name} has no lint error`, async () => {
    const answer = await fetch(`${site.url}/${name}`)
    assert.equal(answer.status, 200)
    const file = join(folder, name)
    writeFileSync(file, await answer.text())
    const lint = spawnSync(process.execPath, [redocly, 'lint', '--format=stylish', file], {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    assert.equal(lint.status, 0, lint.stdout + lint.stderr)
  })
}
