// Draws the icons of the installed site from static/favicon.svg. Run it after a change of
// that file: npm --prefix e2e run icons
import { readFileSync, writeFileSync } from 'node:fs'
import { startBrowser } from './browser.mjs'

const folder = new URL('../static/', import.meta.url)
const svg = readFileSync(new URL('favicon.svg', folder), 'utf8')
const ground = svg.match(/<rect [^>]*fill="(#[0-9a-f]{6})"/)[1]

// scale is how much of the icon the drawing takes. Platforms cut a maskable icon to the
// middle 80 % and round the corners of a touch icon, so both have no corners of their own.
const icons = [
  { name: 'app-192', size: 192, scale: 1 },
  { name: 'app-512', size: 512, scale: 1 },
  { name: 'app-maskable-512', size: 512, scale: 0.8, filled: true },
  { name: 'apple-touch-icon', size: 180, scale: 0.9, filled: true },
]

const browser = await startBrowser()
for (const { name, size, scale, filled } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const drawing = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  await page.setContent(`<body style="margin:0;display:grid;place-items:center;height:100vh;background:${filled ? ground : 'transparent'}"><img src="${drawing}" width="${size * scale}">`)
  await page.locator('img').evaluate((image) => image.decode())
  writeFileSync(new URL(`icons/${name}.png`, folder), await page.screenshot({ omitBackground: true }))
  await page.close()
}
await browser.close()
