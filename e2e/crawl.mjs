// Follows the links of a site like a visitor without JavaScript.

const same = 5 // addresses that differ only in their query
const catalogue = 40 // pages of gear, of thousands

const decode = (text) => text.replaceAll('&#34;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

// crawl follows links and pictures from the home page. It resolves to { dead, pages }: what
// is wrong with links, each with a page that has it, and the HTML of all pages by path. Of
// pages that differ only in their query, and of the catalogue, it reads some.
export async function crawl(site) {
  const pages = new Map()
  const dead = []
  const fragments = []
  const counts = new Map()
  const few = (path) => {
    const key = /^\/gear\/[^/]+\/[^/]+$/.test(path) ? 'gear' : path.includes('?') ? path.split('?')[0] : ''
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return key === '' || count <= (key === 'gear' ? catalogue : same)
  }
  const found = new Map([['/', 'nowhere']])
  for (const [path, from] of found) {
    const answer = await fetch(site.url + path, { headers: { Accept: 'text/html, */*;q=0.5' } })
    const html = await answer.text()
    if (!answer.ok) dead.push(`${path} of ${from} is ${answer.status}`)
    if (!answer.ok || !answer.headers.get('content-type').startsWith('text/html')) continue
    pages.set(path, html)
    for (const [, , value] of html.matchAll(/\s(href|src)="([^"]*)"/g)) {
      const url = new URL(decode(value), site.url + path)
      if (url.origin !== site.url || !/^https?:/.test(url.protocol)) continue
      const to = url.pathname + url.search
      if (url.hash && !url.hash.includes('=')) fragments.push([path, to, decodeURIComponent(url.hash.slice(1))])
      if (!found.has(to) && few(to)) found.set(to, path)
    }
  }
  for (const [from, to, id] of fragments) {
    if (pages.has(to) && !decode(pages.get(to)).includes(`id="${id}"`)) dead.push(`${to}#${id} of ${from} is nowhere`)
  }
  return { dead: [...new Set(dead)], pages }
}
