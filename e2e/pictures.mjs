// Makes the pictures of guides and help from the real pages of a demonstration, in each language, writes
// them to docs/samples, and puts their names, which have their sizes, into the texts that show them. Arguments select
// pictures by name.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join as path } from 'node:path'
import { settle, startBrowser } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { startSite, top } from './site.mjs'

const folder = path(top, 'docs/samples')
const gear = 'canon/eos-r6'
const wanted = process.argv.slice(2)

const site = await startSite()
const browser = await startBrowser()

// shoot returns a part of a page as WebP with its width and height: from the first element that a selector
// matches to the last, at most as high as given.
async function shoot(page, selector, height) {
  await settle(page)
  const seen = (await page.locator(selector).evaluateAll((parts) => parts.map((part) => {
    const { y, height } = part.getBoundingClientRect()
    return { y: y + scrollY, height }
  }))).filter((box) => box.height > 0)
  const y = Math.min(...seen.map((box) => box.y))
  const end = Math.min(Math.max(...seen.map((box) => box.y + box.height)), y + height)
  const clip = { x: 0, y: Math.max(0, Math.round(y) - 12), width: page.viewportSize().width, height: Math.round(end - y) + 24 }
  const png = await page.screenshot({ clip, fullPage: true })
  const encoded = await (await browser.newPage()).evaluate(async (source) => {
    const image = new Image()
    image.src = source
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8).split(',')[1]
  }, `data:image/png;base64,${png.toString('base64')}`)
  return { bytes: Buffer.from(encoded, 'base64'), width: clip.width, height: clip.height }
}

const member = (handle) => join(site, handle)
const seller = member('anna-wolf'), buyer = member('ben-okafor')
const sellers = apiOf(site, tokenOf(site, seller)), buyers = apiOf(site, tokenOf(site, buyer))

// list puts a camera on sale and returns its id.
async function list(title) {
  const { id } = await sellers('POST', '/api/listings', { gear, title, price: { amount: '949.00', currency: 'EUR' }, condition: 'excellent', functional: 'fully_working', description: 'Bought new, used on weekends.',
    region: 'DE', postage: 'DE 6.90', included: ['battery', 'charger'] }, 201)
  await sellers('POST', `/api/listings/${id}/publish`)
  return id
}

const offered = await list('Canon EOS R6, boxed')
const sent = await list('Canon EOS R6 with two batteries')
const { id: offer } = await buyers('POST', `/api/listings/${sent}/offers`, { amount: { amount: '900.00', currency: 'EUR' }, delivery: 'shipping', address: 'Ben Okafor\n1 High Street\n10115 Berlin' }, 201)
for (const step of ['accept', 'complete']) await sellers('POST', `/api/offers/${offer}/${step}`, step === 'complete' ? { carrier: 'DHL', tracking: '00340434' } : undefined)
for (const item of [{ name: 'Canon EOS R6', gear, condition: 'excellent', paid: '1890', bought_on: '2023-05-17', serial: '042021000317' }, { name: 'Sony Alpha 7 III', gear: 'sony/alpha-7-iii', condition: 'good', paid: '1250' }]) {
  await buyers('POST', '/api/me/kit', item, 201)
}
const deals = await (await fetch(`${site.url}/api/listings/search?model=${gear}&sort=deal&limit=1`)).json()
const [deal] = deals.listings

// pictures are those of texts by name: the page, whether a member reads it, what to show, and its height.
const pictures = {
  price: [`/gear/${gear}`, false, '.gear-head', 420],
  deal: [`/listings/${deal.id}`, false, '.listing .buy', 420],
  offer: [`/listings/${offered}`, true, '#offer', 640],
  problem: [`/account/offers/${offer}`, true, '.trade-next', 560],
  kit: ['/account/kit', true, 'main h1, main table', 520],
  stolen: ['/stolen', true, 'main h1, main form', 368],
}

try {
  const names = {}
  for (const language of ['en', 'de']) {
    const context = await browser.newContext({ viewport: { width: 680, height: 2600 }, locale: language, colorScheme: 'light' })
    await context.addCookies([{ name: 'language', value: language, url: site.url }])
    const page = await context.newPage()
    await signIn(page, site, buyer)
    const visitor = await (await browser.newContext({ viewport: { width: 680, height: 2600 }, locale: language, colorScheme: 'light' })).newPage()
    for (const [name, [address, signedIn, selector, height]] of Object.entries(pictures)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      const reader = signedIn ? page : visitor
      await reader.goto(site.url + address)
      if (name === 'offer') await reader.locator('.actions').getByText(/Make an offer|Preisvorschlag/).first().click()
      const picture = await shoot(reader, selector, height)
      names[`${name}-${language}`] = `${name}-${language}-${picture.width}x${picture.height}.webp`
      for (const old of readdirSync(folder)) if (old.startsWith(`${name}-${language}-`)) rmSync(path(folder, old))
      writeFileSync(path(folder, names[`${name}-${language}`]), picture.bytes)
      process.stdout.write(`${names[`${name}-${language}`]} ${picture.bytes.length} bytes\n`)
    }
  }
  for (const text of ['pages', 'pages/de', 'guides', 'guides/de'].flatMap((kind) => readdirSync(path(top, 'content', kind)).map((name) => path(top, 'content', kind, name)))) {
    if (!text.endsWith('.md')) continue
    const before = readFileSync(text, 'utf8')
    const now = before.replace(/(\/docs\/samples\/)([a-z]+-(?:en|de))-\d+x\d+\.webp/g, (old, address, name) => names[name] ? address + names[name] : old)
    if (now !== before) writeFileSync(text, now)
  }
} finally {
  await browser.close()
  await site.stop()
}
