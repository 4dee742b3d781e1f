// Writes screenshots of every kind of page, narrow and wide, light and dark, to
// e2e/screenshots. Arguments select kinds by name.
import { mkdirSync } from 'node:fs'
import { settle, startBrowser } from './browser.mjs'
import { kindsOf, memberKindsOf } from './kinds.mjs'
import { signIn } from './members.mjs'
import { startSite } from './site.mjs'

const folder = new URL('screenshots/', import.meta.url).pathname
const sizes = { narrow: { width: 390, height: 844 }, wide: { width: 1440, height: 900 } }

const site = await startSite()
const browser = await startBrowser()
try {
  const kinds = await kindsOf(site)
  const inTrade = site.run && await memberKindsOf(site)
  const wanted = process.argv.slice(2)
  mkdirSync(folder, { recursive: true })
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark']) {
      const take = async (kinds, member) => {
        const context = await browser.newContext({ viewport, colorScheme })
        const page = await context.newPage()
        if (member) await signIn(page, site, member)
        for (const [kind, address] of Object.entries(kinds)) {
          if (wanted.length > 0 && !wanted.includes(kind)) continue
          await page.goto(site.url + address, { waitUntil: 'load' })
          await settle(page)
          await page.screenshot({ path: `${folder}${kind}-${size}-${colorScheme}.png`, fullPage: true })
          process.stdout.write(`${kind}-${size}-${colorScheme}.png\n`)
        }
        await context.close()
      }
      await take(kinds)
      for (const [who, theirs] of Object.entries(inTrade?.kinds ?? {})) await take(theirs, inTrade.members[who])
    }
  }
} finally {
  await browser.close()
  await site.stop()
}
