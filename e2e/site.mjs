// Runs the real program with demonstration data for tests.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const top = new URL('..', import.meta.url).pathname

// startSite builds the program, serves it from an empty folder on a free port and
// resolves to { url, folder, run, log, stop } when it responds: folder is its DATA_DIR, run
// executes one of its commands, log returns what it has logged, and stop may be given what to do with the folder before it
// is deleted. Of the environment:
//   - SITE_URL is a site that tests use instead, without folder and run.
//   - SITES is the JSON of the sites that files share when run.mjs runs them, by name: a file
//     that gives the name shared uses that one. Those that only read share "read", those
//     that read the pages of kinds.mjs share "kinds", and those whose changes are of members
//     of their own share "write".
//   - SITE_PROGRAM is served instead of building the program.
//   - SITE_DEMO is a folder with demonstration data, which is copied.
export async function startSite({ name = '127.0.0.1', shared, ...settings } = {}) {
  if (process.env.SITE_URL) {
    return { url: process.env.SITE_URL.replace(/\/$/, ''), stop: () => {} }
  }
  const common = shared && JSON.parse(process.env.SITES ?? '{}')[shared]
  if (common) return { ...common, run: runner(process.env.SITE_PROGRAM, environment(name, common.folder, settings)), stop: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'secondlight-e2e-'))
  const program = process.env.SITE_PROGRAM ?? join(folder, 'secondlight')
  if (!process.env.SITE_PROGRAM) execFileSync('go', ['build', '-o', program, './cmd/secondlight'], { cwd: top, stdio: 'inherit' })
  const data = join(folder, 'data')
  if (process.env.SITE_DEMO && settings.DEMO !== 'false') cpSync(process.env.SITE_DEMO, data, { recursive: true })
  const env = environment(name, data, settings)
  const server = spawn(program, [], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  server.stderr.on('data', (text) => (said += text))
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const stop = async (use) => {
    server.kill('SIGINT')
    await ended
    use?.(data)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  for (const deadline = Date.now() + 500_000; Date.now() < deadline && server.exitCode === null && server.signalCode === null;) {
    const url = said.match(/msg=serving address=(\S+) /)?.[1]
    const answer = url && await fetch(`${url.replace(name, '127.0.0.1')}/api/health`, { signal: AbortSignal.timeout(5000) }).catch(() => null)
    if (answer?.ok) return { url, folder: data, run: runner(program, env), log: () => said, stop }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error(`the site did not start:\n${said}`)
}

// environment returns the environment of a site with a folder.
const environment = (name, folder, settings) => ({
  ...process.env, LISTEN_ADDR: '127.0.0.1:0', BASE_URL: `http://${name}:0`, LOG_FORMAT: 'text', DATA_DIR: folder, DATABASE_URL: '', DEMO: 'true', DEV: 'true', RATE_LIMIT: '1000000', ...settings,
})

// runner returns a function that executes a command of a program and returns its output.
const runner = (program, env) => (args, input) => execFileSync(program, args, { env, input, encoding: 'utf8' })
