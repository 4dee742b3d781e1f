// Opens the pages that show what a hostile owner wrote, and checks that nothing of it ran:
// no dialog, no request to another host, no violation of the content security policy.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { patience, startBrowser, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'
import { startSite } from './site.mjs'

const texts = [
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'<svg/onload=alert(1)>",
  '{{constructor.constructor("alert(1)")()}}',
]

const markdown = `<script>alert(1)</script>

<img src="https://evil.example/a.png" onerror="alert(1)"> [x](javascript:alert(1)) [![y](https://evil.example/b.png)](data:text/html,<script>alert(1)</script>)

![z](data:image/svg+xml,<svg/onload=alert(1)>) <iframe srcdoc="<script>alert(1)</script>"></iframe> <style>@import url(https://evil.example/a.css)</style>

> - ![w][p] <svg><foreignObject><body onload=alert(1)></foreignObject></svg>

[p]: https://evil.example/c.png
`

const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><image href="https://evil.example/a.png"/></svg>'

const pages = ['/', '/about', '/terms', '/imprint', '/fees', '/shipping', '/contact', '/journal', '/portfolio', '/portfolio/iceland', '/kit', '/gear', '/admin', '/admin/checklist', '/admin/site',
  '/admin/site/preview?theme=darkroom', '/admin/pages', '/admin/pages/pages/terms/en', '/admin/catalog', '/admin/contact', '/admin/members', '/admin/audit', '/admin/imports', '/account/portfolio', '/account/portfolio/iceland', '/account/kit']

let site, browser, owner, call

before(async () => {
  site = await startSite()
  browser = await startBrowser()
  owner = join(site, 'ada-owns', { operator: true })
  call = apiOf(site, tokenOf(site, owner, 'account:read,watch:write,site,admin,moderation'))
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

test('nothing that the owner writes runs', { timeout: 4 * patience }, async () => {
  await call('POST', '/api/admin/portfolio', { title: 'Iceland' }, 201)
  await call('PATCH', '/api/admin/pages/pages/terms/en', { text: markdown, publish: true })
  await call('PATCH', '/api/admin/pages/pages/about/en', { text: markdown, publish: true })
  const { slug } = await call('POST', '/api/admin/pages', { section: 'journal', title: texts[0] }, 201)
  await call('PATCH', `/api/admin/pages/journal/${slug}/en`, { text: markdown, description: texts[1], tags: [texts[2]], publish: true })
  const all = [...pages, `/journal/${slug}`, `/admin/pages/journal/${slug}/en`]
  for (const picture of [svg, `\x89PNG\r\n\x1a\n${svg}`]) {
    await call('POST', '/api/admin/site/pictures', { kind: 'logo', picture: [Buffer.from(picture, 'latin1').toString('base64')] }, 400)
  }
  for (const accent of ['red;}body{background:url(https://evil.example/a)}', 'url(javascript:alert(1))', 'expression(alert(1))', '</style><script>alert(1)</script>']) {
    await call('PATCH', '/api/admin/site', { version: 0, accent }, 400)
  }
  const page = await (await browser.newContext({ locale: 'en' })).newPage()
  await signIn(page, site, owner)
  const wrong = await watch(page, site)
  page.on('dialog', (dialog) => {
    wrong.push(`dialog ${dialog.message()} on ${page.url()}`)
    dialog.dismiss()
  })
  for (const [version, text] of texts.entries()) {
    await call('PATCH', '/api/admin/site', { version, name: text, tagline: text, owner: text, address: text, fees_note: text, shipping_note: text, header_links: [`${text.slice(0, 30)} | /journal`] })
    await call('PUT', '/api/admin/portfolio/iceland', { title: text, description: text, text: markdown, license: text, visibility: 'public' })
    for (const path of version === 0 ? all : ['/', '/imprint', '/fees', '/portfolio', '/admin/site', '/account/portfolio']) {
      const answer = await page.goto(site.url + path)
      assert.equal(answer.status(), 200, path)
      assert.deepEqual([...wrong, ...(await page.evaluate(() => globalThis.violations))], [], path)
    }
  }
})
