// Does the tutorials of docs/start as a reader does: in an empty home, without a network, with
// what they say, and in a browser where they say so. It compares what they show, prints how long each took, and
// writes a screenshot of each step to e2e/tutorials. Arguments select tutorials by name. It needs root, for
// the namespace, and Go's caches of modules and builds, because the namespace has no network. SITE_PROGRAM is
// installed instead of building the program.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settle, startBrowser } from './browser.mjs'
import { signIn } from './members.mjs'
import { mailedLink } from './outbox.mjs'
import { top } from './site.mjs'

if (!process.env.TUTORIALS_ALONE) {
  const [modules, builds] = execFileSync('go', ['env', 'GOMODCACHE', 'GOCACHE'], { encoding: 'utf8' }).split('\n')
  const { status } = spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-c',
    'ip link set lo up && mount -t proc proc /proc && mount -t tmpfs tmpfs /home && exec "$0" "$@"', process.execPath, ...process.argv.slice(1)],
  { stdio: 'inherit', env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR ?? '/tmp', TUTORIALS_ALONE: '1', GOMODCACHE: modules, GOCACHE: builds, SITE_PROGRAM: process.env.SITE_PROGRAM ?? '' } })
  process.exit(status)
}

const site = { url: 'http://127.0.0.1:8080' }
const shots = join(top, 'e2e/tutorials')
const browser = await startBrowser()
const ada = { email: 'ada@example.org', password: 'four words in a row' }
const ben = { email: 'ben@example.org', password: 'another four words here' }

// A terminal is a shell that runs blocks one after the other, as typed. run resolves to what a block
// prints on standard output; serve runs one that doesn't end, and resolves when the site responds.
function openTerminal(env, cwd) {
  const shell = spawn('bash', ['--noprofile', '--norc'], { env, cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const terminal = { log: '', printed: '' }
  shell.stdout.on('data', (text) => (terminal.printed += text))
  shell.stderr.on('data', (text) => (terminal.log += text))
  const until = async (what, done) => {
    for (const deadline = Date.now() + 600_000; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const result = await done()
      if (result) return result
    }
    throw new Error(`${what}\n${terminal.printed}\n${terminal.log}`)
  }
  terminal.run = async (block) => {
    terminal.printed = ''
    shell.stdin.write(`${block}\nprintf '\\x1e%s\\n' $?\n`)
    const [, output, status] = await until(block, () => terminal.printed.match(/^([^]*)\x1e(\d+)\n$/))
    assert.equal(status, '0', `${block}\n${output}\n${terminal.log}`)
    return output.trim()
  }
  terminal.serve = async (block) => {
    shell.stdin.write(block)
    await until(block, () => fetch(`${site.url}/readyz`).then((answer) => answer.ok, () => false))
  }
  terminal.close = async () => {
    process.kill(-shell.pid, 'SIGTERM')
    await until('the server does not stop', () => fetch(`${site.url}/livez`).then(() => false, () => true))
    shell.kill('SIGKILL')
  }
  return terminal
}

// newReader returns what the steps of a tutorial use: a page of a visitor, and shot.
async function newReader(tutorial, home) {
  let shot = 0
  const reader = { home, server: null }
  reader.open = async () => (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  reader.page = await reader.open()
  reader.shot = async (page, name) => {
    await settle(page)
    await page.screenshot({ path: join(shots, `${tutorial}-${++shot}-${name}.png`), fullPage: false })
  }
  reader.go = async (page, path, name) => {
    const answer = await page.goto(site.url + path)
    assert.ok(answer.ok(), `${path} is ${answer.status()}`)
    if (name) await reader.shot(page, name)
  }
  return reader
}

async function setUp(reader, { name, handle, owner, email, type }) {
  const link = reader.server.log.match(/http:[^\s"]+\/setup[^\s"]*/)[0]
  const { page } = reader
  await page.goto(link)
  await page.getByLabel('Name of the site').fill(name)
  if (type) await page.getByRole('radio', { name: type }).check()
  await page.getByLabel('Your name').fill(owner)
  await page.getByLabel('Username').fill(handle)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('four words in a row')
  await reader.shot(page, 'set-up')
  await page.getByRole('button', { name: 'Set up the site' }).click()
  await page.waitForURL('**/admin/checklist')
  await reader.shot(page, 'checklist')
}

// press clicks a button and waits for the page that follows.
async function press(page, name) {
  await Promise.all([page.waitForNavigation(), page.getByRole('main').getByRole('button', { name }).first().click()])
}

// steps has what a reader does in the browser at the end of the sections of each tutorial.
const steps = {
  try: {
    1: (reader) => reader.go(reader.page, '/', 'home'),
    2: async (reader) => {
      await reader.page.locator('input[name=keyword]').first().fill('r6 mk ii')
      await reader.page.keyboard.press('Enter')
      await reader.page.waitForURL('**/listings?**')
      assert.match(await reader.page.getByRole('main').textContent(), /Canon EOS R6 Mark II/)
      await reader.shot(reader.page, 'search')
    },
    3: async (reader) => {
      await reader.go(reader.page, '/gear/canon/eos-r6', 'gear')
      await reader.go(reader.page, '/prices', 'prices')
    },
    4: async (reader) => {
      await signIn(reader.page, site, ben)
      await reader.go(reader.page, '/account/offers', 'offers')
      await reader.page.getByRole('main').getByRole('link', { name: /Canon EOS R6, boxed/ }).first().click()
      await reader.shot(reader.page, 'sale')
    },
  },
  'first-program': {
    1: async (reader) => {
      await reader.go(reader.page, '/listings?seller=carl', 'listed')
      await reader.go(reader.page, '/developers/list_changes', 'reference')
    },
  },
  'first-agent': {
    1: async (reader) => reader.go(reader.page, '/docs/first-agent', 'document'),
    3: async (reader) => {
      await signIn(reader.page, site, { email: 'dora@example.org', password: 'four words in a row' })
      await reader.go(reader.page, '/account/searches', 'saved-search')
      await reader.go(reader.page, '/account/connections', 'connections')
    },
  },
  'first-shop': {
    2: (reader) => setUp(reader, { name: 'Foto Ecke', owner: 'Ada Ortega', handle: 'ada', email: ada.email, type: /^Shop/ }),
    3: (reader) => reader.go(reader.page, '/listings', 'stock'),
    4: (reader) => reader.go(reader.page, '/gear/canon/eos-r6', 'price'),
    5: async (reader) => {
      const cleo = await reader.open()
      await reader.go(cleo, '/sign-up')
      await cleo.getByLabel('Username').fill('cleo')
      await cleo.getByLabel('Email address').fill('cleo@example.org')
      await cleo.getByLabel('Password').fill('some four other words')
      await reader.shot(cleo, 'sign-up')
      await press(cleo, /Create/)
      await reader.shot(cleo, 'check-your-email')
      await cleo.goto(site.url + await mailedLink(join(reader.home, 'my-shop/outbox'), 'cleo@example.org', '/sign-up/confirm'))
      await press(cleo, /^Confirm/) // the browser that signed up is not asked for the password again
      await reader.shot(cleo, 'confirmed')

      const buyer = await reader.open()
      await signIn(buyer, site, ben)
      await reader.go(buyer, '/listings?keyword=canon+eos+r6')
      await buyer.locator('main a[href^="/listings/"]').filter({ hasText: 'Canon EOS R6' }).first().click()
      await buyer.waitForURL('**/listings/*')
      await reader.shot(buyer, 'item')
      await buyer.getByText(/^Buy (now|for)/).first().click()
      await reader.shot(buyer, 'buy')
      await buyer.locator('#buy').getByLabel('Delivery address').fill('Ben Okafor\n1 High Street\n10115 Berlin\nGermany')
      await press(buyer, /^Buy/)
      await reader.shot(buyer, 'bought')
      const order = new URL(buyer.url()).pathname
      await reader.go(reader.page, '/', 'order-waits')
      await reader.go(reader.page, order)
      if (await reader.page.getByRole('main').getByRole('button', { name: /^Confirm|^Accept/ }).count()) await press(reader.page, /^Confirm|^Accept/)
      await reader.shot(reader.page, 'order-confirmed')
      await press(reader.page, 'Mark as sent')
      await reader.shot(reader.page, 'order-sent')
      await reader.go(buyer, order)
      await press(buyer, /fine/)
      await reader.shot(buyer, 'sale-confirmed')
      const { sold_for: sold } = await (await fetch(`${site.url}/api/trends/canon/eos-r6`)).json()
      assert.equal(sold.sample_size, 16)
    },
    6: async (reader) => {
      await reader.go(reader.page, '/admin/site', 'settings')
      await reader.go(reader.page, '/admin/pages', 'pages')
    },
  },
  'first-portfolio': {
    1: (reader) => setUp(reader, { name: 'Grace Photographs', owner: 'Grace Hopper', handle: 'grace', email: 'grace@example.org', type: /^Portfolio(?! and)/ }),
    2: async (reader) => {
      await reader.page.waitForTimeout(10_000) // which the tutorial says
      await reader.go(reader.page, '/portfolio/far-from-home', 'project')
      assert.ok(await reader.page.getByRole('main').getByRole('img').count() > 3)
    },
    3: async (reader) => {
      await reader.go(reader.page, '/account/portfolio', 'editor')
      await reader.page.getByRole('main').getByRole('link', { name: 'Far from home' }).first().click()
      await reader.shot(reader.page, 'edit-project')
    },
    4: (reader) => reader.go(reader.page, '/', 'home'),
  },
}

// notRun are blocks that need the internet, by their beginning.
const notRun = ['curl -s -H "Authorization: Bearer $TOKEN" https://shop.example/']

const serves = /^(?:\w+=\S+ )*secondlight(?: +#.*)?$/m

// pattern matches an output that a tutorial shows: "…" stands for anything.
const pattern = (shown) => new RegExp(`^${shown.trim().split('…').map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*?')}$`)

async function follow(tutorial, running) {
  const text = readFileSync(join(top, `docs/start/${tutorial}.md`), 'utf8').replace(/<!-- test: [^]*? -->/g, '')
  const minutes = Number(text.match(/\*\*Takes:\*\* (\d+) minutes/)[1])
  const home = running?.home ?? join('/home', tutorial)
  mkdirSync(join(home, 'work'), { recursive: true })
  const env = { HOME: home, PATH: `${bin}/usr/local/go/bin:/usr/bin:/bin`, LANG: 'C.UTF-8', GOMODCACHE: process.env.GOMODCACHE, GOCACHE: process.env.GOCACHE, GOPROXY: 'off' }
  const reader = await newReader(tutorial, home)
  let terminal = openTerminal(env, tutorial === 'try' ? top : join(home, 'work'))
  if (running) await terminal.run(running.exports)
  const began = Date.now()
  let exports = '', blocks = 0, outputs = 0
  for (const part of text.split(/^## /m)) {
    const section = part.match(/^(\d+)\. /)?.[1]
    let output
    for (const m of part.matchAll(/([^\n]*)\n\n```(\w*)\n([^]*?)^```$/gm)) {
      const [, before, language, block] = m
      const file = before.match(/Save as `([\w.-]+)`:$/)?.[1]
      if (file) writeFileSync(join(home, 'work', file), block)
      else if (language === 'text') {
        assert.match(output, pattern(block), `${tutorial}: the output of a block`)
        outputs++
      } else if (language === 'sh' && !notRun.some((beginning) => block.startsWith(beginning))) {
        blocks++
        if (serves.test(block)) {
          reader.server = terminal
          await terminal.serve(block)
          terminal = openTerminal(env, join(home, 'work')) // the second, with the same settings
          if (exports) await terminal.run(exports)
        } else {
          exports += block.split('\n').filter((line) => line.startsWith('export ')).join('\n') + '\n'
          output = await terminal.run(process.env.SITE_PROGRAM ? block.replace(/^go install .*$/m, `mkdir -p ~/go/bin && cp ${process.env.SITE_PROGRAM} ~/go/bin/secondlight`) : block)
        }
      }
    }
    if (section) await steps[tutorial][section]?.(reader)
  }
  const seconds = Math.round((Date.now() - began) / 1000)
  process.stdout.write(`${tutorial}: ${blocks} blocks, ${outputs} outputs compared, ${seconds} s of ${minutes} minutes\n`)
  assert.ok(seconds < minutes * 60)
  return { home, exports, server: reader.server }
}

let bin = ''
mkdirSync(shots, { recursive: true })
const wanted = process.argv.slice(2)
const wants = (tutorial) => wanted.length === 0 || wanted.includes(tutorial)
try {
  // The others begin with the program that the first has installed, and two with its site.
  const tried = await follow('try')
  for (const tutorial of ['first-program', 'first-agent']) if (wants(tutorial)) await follow(tutorial, tried)
  await tried.server.close()
  bin = `${tried.home}/go/bin:`
  for (const tutorial of ['first-shop', 'first-portfolio']) {
    if (!wants(tutorial)) continue
    const done = await follow(tutorial)
    await done.server.close()
  }
} finally {
  await browser.close()
}
process.exit() // the terminals are open
