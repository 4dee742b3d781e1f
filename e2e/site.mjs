// The real program with its demonstration data, for the tests to look at.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const top = new URL('..', import.meta.url).pathname

// startSite builds the program, serves it from an empty folder on a free port and
// resolves to { url, folder, run, stop } when it answers: folder is its DATA_DIR,
// and run does one of its commands beside it. With SITE_URL in the environment
// the tests look at that site instead, which has neither. Its name is what stands
// in its addresses.
export async function startSite({ name = '127.0.0.1', ...settings } = {}) {
  if (process.env.SITE_URL) {
    return { url: process.env.SITE_URL.replace(/\/$/, ''), stop: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'secondlight-e2e-'))
  const program = join(folder, 'secondlight')
  execFileSync('go', ['build', '-o', program, './cmd/secondlight'], { cwd: top, stdio: 'inherit' })
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const url = `http://${name}:${port}`
  const data = join(folder, 'data')
  const env = { ...process.env, LISTEN_ADDR: address, BASE_URL: url, DATA_DIR: data, DATABASE_URL: '', DEMO: 'true', DEV: 'true', RATE_LIMIT: '1000000', ...settings }
  const server = spawn(program, [], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const run = (args, input) => execFileSync(program, args, { env, input, encoding: 'utf8' })
  let said = ''
  server.stderr.on('data', (text) => (said += text))
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const stop = async () => {
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (let patience = 600; patience > 0; patience--) {
    if (server.exitCode !== null) break
    const answer = await fetch(`http://${address}/api/health`, { signal: AbortSignal.timeout(5000) }).catch(() => null)
    if (answer?.ok) return { url, folder: data, run, stop }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error(`the site did not start:\n${said}`)
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
