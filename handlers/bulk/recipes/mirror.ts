// Keeps a copy of the gear and the listings of a site in a file of JSON.
//
//	node mirror.ts https://secondlight.example copy.json [--once]
//
// It downloads the files of the night and then follows the changes since. It may be stopped at
// any time, and goes on where it was. With --once it ends when nothing more has changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

type Row = { id: string; gear: string; status: string }
type Copy = { cursor: string; gear: Record<string, Row>; listings: Record<string, Row> }

const [site, file] = [process.argv[2].replace(/\/$/, ''), process.argv[3]]
const pause = 5 // seconds between questions for changes
const sleep = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000))

/** Requests a path, again while the server is busy. */
async function get(path: string): Promise<Response> {
  for (;;) {
    const response = await fetch(site + path)
    if (response.status !== 429 && response.status < 500) return response
    await sleep(Number(response.headers.get('retry-after') ?? 1))
  }
}

/** Returns a new copy: that of the night. */
async function download(): Promise<Copy> {
  const manifest = await (await get('/data/manifest.json')).json()
  const copy: Copy = { cursor: manifest.cursor, gear: {}, listings: {} }
  for (const [name, key] of [['gear', 'gear'], ['listings', 'id']] as const) {
    const packed = Buffer.from(await (await get(`/data/${name}.jsonl.gz`)).arrayBuffer())
    const described = manifest.files.find((f: { name: string }) => f.name === `${name}.jsonl.gz`)
    if (createHash('sha256').update(packed).digest('hex') !== described.sha256) return download() // there are new files
    for (const line of gunzipSync(packed).toString().split('\n')) {
      if (line !== '') copy[name][JSON.parse(line)[key]] = JSON.parse(line)
    }
  }
  return copy
}

/** Applies the next changes, and returns whether there are more. */
async function follow(copy: Copy): Promise<boolean> {
  const response = await get(`/api/changes?limit=1000&since=${copy.cursor}`)
  if (response.status === 410) { // changes_expired: too long away, or the site was restored
    Object.assign(copy, await download())
    return true
  }
  if (!response.ok) throw new Error(await response.text())
  const page = await response.json()
  const ids = [...new Set<string>(page.changes.flatMap((c: { id?: string }) => c.id ?? []))]
  for (let at = 0; at < ids.length; at += 100) {
    const batch = await (await get(`/api/listings?id=${ids.slice(at, at + 100).join(',')}`)).json()
    for (const id of [...batch.missing, ...batch.listings.map((l: Row) => l.id)]) delete copy.listings[id]
    for (const listing of batch.listings) {
      if (listing.status === 'active') copy.listings[listing.id] = listing
    }
  }
  copy.cursor = page.next_cursor
  return page.has_more
}

const copy: Copy = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : await download()
for (;;) {
  const more = await follow(copy)
  writeFileSync(`${file}.new`, JSON.stringify(copy))
  renameSync(`${file}.new`, file)
  if (!more && process.argv.includes('--once')) break
  if (!more) await sleep(pause)
}
