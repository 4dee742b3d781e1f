// An MCP app: draws the result of a tool in a frame of a chat client, which passes it
// the result by JSON-RPC (SEP-1865). What members wrote becomes text nodes, never markup.

const site = JSON.parse(document.getElementById('site').textContent)
const main = document.querySelector('main')
const status = document.querySelector('.status')

// The client

let host = {} // its capabilities
let args = {} // of the tool call
let lastId = 0
const waiting = new Map() // requests without an answer, by id

const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

function request(method, params) {
  return new Promise((resolve, reject) => {
    waiting.set(++lastId, { resolve, reject })
    post({ id: lastId, method, params })
  })
}

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  if (data.method) return receive(data)
  const { resolve, reject } = waiting.get(data.id) ?? {}
  waiting.delete(data.id)
  if (data.error) reject?.(new Error(data.error.message))
  else resolve?.(data.result)
})

const methods = {
  ping() {},
  'ui/resource-teardown'() {},
  'ui/notifications/tool-input'(params) {
    args = params.arguments ?? {}
  },
  'ui/notifications/tool-result': first,
  'ui/notifications/tool-cancelled': () => ready('Cancelled.'),
  'ui/notifications/host-context-changed': adapt,
}

function receive({ id, method, params = {} }) {
  methods[method]?.(params)
  if (id === undefined) return
  post(methods[method] ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } })
}

// call calls a tool and returns its structured content.
async function call(name, given) {
  const result = await request('tools/call', { name, arguments: given })
  const content = result.structuredContent
  if (result.isError || !content) throw new Error(content?.message ?? 'Try again later.')
  return content
}

// The rules for a preferred colour scheme, which the client's theme overrides.
const schemes = []
for (const sheet of document.styleSheets) collect(sheet.cssRules)

function collect(rules) {
  for (const rule of rules) {
    if (rule.media?.mediaText.includes('prefers-color-scheme')) schemes.push(rule)
    else if (rule.cssRules) collect(rule.cssRules)
  }
}

function adapt({ theme }) {
  if (!theme) return
  document.documentElement.style.colorScheme = theme
  for (const rule of schemes) rule.media.mediaText = theme === 'dark' ? 'all' : 'not all'
}

function reportSize() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  post({ method: 'ui/notifications/size-changed', params: { width: innerWidth, height } })
}

addEventListener('click', (event) => {
  const link = event.target.closest('a[href]')
  if (!link || !host.openLinks) return
  event.preventDefault()
  request('ui/open-link', { url: link.href })
    .then((result) => result?.isError && ready(`Open ${link.href}`), () => ready(`Open ${link.href}`))
})

// Elements

// make returns an element with attributes and children: make('2000/svg', 'path.band', { d }).
// Strings become text; null, undefined and false are ignored.
function make(namespace, selector, attributes = {}, ...children) {
  const [name, ...classes] = selector.split('.')
  const element = document.createElementNS(`http://www.w3.org/${namespace}`, name)
  element.classList.add(...classes)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false))
  return element
}
const el = (...of) => make('1999/xhtml', ...of)
const svg = (...of) => make('2000/svg', ...of)
const link = (path, attributes, ...children) => el('a', { href: site.url + path, target: '_blank', rel: 'noopener', ...attributes }, ...children)

function button(attributes, action, ...children) {
  const element = el('button', { type: 'button', ...attributes }, ...children)
  element.addEventListener('click', action)
  return element
}

const list = (name, pairs) => el(`dl.${name}`, {}, pairs.filter(([, value]) => value).map(([term, value]) =>
  name === 'tiles' ? el('div', {}, el('dt', {}, term), el('dd', {}, value)) : [el('dt', {}, term), el('dd', {}, value)]))

// picture returns an image of the site, nothing for another address.
function picture(src, alt) {
  return String(src).startsWith(`${site.url}/photos/`) && el('img', { src, alt, loading: 'lazy' })
}

// Words

const number = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',')
const count = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`
const decimal = (text) => Number(String(text).split(' ')[0])

// money formats "1249.00 EUR" as "€1,249".
function money(text) {
  if (!text) return ''
  const [amount, currency] = text.split(' ')
  const [whole, fraction = ''] = amount.split('.')
  return (site.symbols[currency] ?? `${currency}\u00a0`) + number(whole) + (/[1-9]/.test(fraction) ? `.${fraction}` : '')
}

const percent = (n) => n != null && `${n > 0 ? '+' : n < 0 ? '−' : ''}${Math.abs(n)}%`
const day = (time, options = { day: 'numeric' }) => time && new Date(time).toLocaleDateString('en-GB', { ...options, month: 'short', year: 'numeric', timeZone: 'UTC' })
const monthName = (month) => day(month, {})
const range = (low, high) => low && high && `${money(low)} – ${money(high)}`
const conditionOf = (item) => [site.conditions[item.condition], site.functional[item.functional]?.toLowerCase()].filter(Boolean).join(', ')

function regionName(code = '') {
  const [country, part] = code.split('-')
  const name = /^[A-Z]{2}$/.test(country) ? new Intl.DisplayNames('en', { type: 'region' }).of(country) : country
  return part ? `${name} (${part})` : name
}

function deal({ deal: difference, deal_sample_size: sales }) {
  if (difference == null) return null
  const text = difference === 0 ? 'at the market price' : `${Math.abs(difference)}% ${difference < 0 ? 'below' : 'above'} market`
  return el(difference < 0 ? 'span.deal.under' : 'span.deal', {}, sales ? `${text} (${count(sales, 'sale', 'sales')})` : text)
}

const isForSale = ({ status }) => !status || status === 'active'
const priceOf = (item) => money(item.price) + (isForSale(item) ? '' : `, ${item.status}`)

// Navigation

const trail = [] // what was shown before

// first shows the result of the tool call. The whole page of detail=full is for the
// model; the app asks for what it shows.
function first(result) {
  if (main.hasChildNodes() || status.textContent) return
  const content = result.structuredContent ?? {}
  const kind = 'total' in content ? 'search' : content.by_condition ? 'trend' : 'listing'
  const whole = args.detail === 'full'
  if (result.isError || (kind === 'listing' && !content.id) || (whole && !host.serverTools)) ready(content.message ?? "This result can't be shown here.")
  else if (!whole) show(kind, content)
  else if (kind === 'search') visit(kind, 'search_listings', withoutDetail(args))
  else if (kind === 'trend') visit(kind, 'get_trend', slugOf(content))
  else visit(kind, 'get_listing', { id: content.id })
}

// ready ends loading and shows a message.
function ready(message = '') {
  main.removeAttribute('aria-busy')
  status.textContent = message
}

const failed = (error) => ready(`That didn't work. ${error.message}`)

const views = { search: searchView, trend: trendView, listing: listingView }

function show(kind, content) {
  ready()
  const view = views[kind](content)
  if (main.hasChildNodes()) {
    trail.push([...main.childNodes])
    view.prepend(button({ class: 'back' }, back, 'Back'))
  }
  main.replaceChildren(view)
  if (trail.length > 0) main.querySelector('h1').focus()
}

function back() {
  ready()
  main.replaceChildren(...trail.pop())
  main.querySelector('h1').focus()
}

// visit calls a tool and shows its result.
async function visit(kind, tool, given) {
  if (main.matches('[aria-busy]:not(:empty)')) return
  main.setAttribute('aria-busy', 'true')
  try {
    show(kind, await call(tool, given))
  } catch (error) {
    failed(error)
  }
}

// opened tells the model what the person looks at.
function opened(what) {
  if (host.updateModelContext) request('ui/update-model-context', { content: [{ type: 'text', text: `The person opened ${what} in the app.` }] }).catch(() => {})
}

function openListing(id) {
  opened(`listing ${id}`)
  visit('listing', 'get_listing', { id })
}

function openTrend(gear) {
  opened(`the price trend of ${gear}`)
  visit('trend', 'get_trend', slugOf({ gear }))
}

function slugOf({ gear = '' }) {
  const [brand, model] = gear.split('/')
  return { brand, model }
}

const path = (...parts) => parts.map((part) => `/${String(part).split('/').map(encodeURIComponent).join('/')}`).join('')
const heading = (...children) => el('h1', { tabindex: -1 }, ...children)
const trendButton = (gear, label) => host.serverTools
  ? button({ class: 'button quiet' }, () => openTrend(gear), label)
  : link(path('gear', gear), { class: 'button quiet' }, label)

// Search results

const shownAtOnce = 6

function searchView(result) {
  const given = args
  const cards = el('ul.cards', {})
  const more = button({ class: 'button quiet' }, () => next(), 'Show more')
  let pending = [...result.listings]
  let cursor = result.next_cursor
  const search = (from) => call('search_listings', { ...withoutDetail(given), ...from, include: ['photos'] })
  // reveal appends the next cards and returns the first of them.
  function reveal() {
    const cells = pending.splice(0, shownAtOnce).map(card)
    cards.append(...cells)
    more.hidden = pending.length === 0 && !(cursor && host.serverTools)
    return cells[0]
  }
  async function next() {
    more.disabled = true
    try {
      if (pending.length === 0) ({ listings: pending, next_cursor: cursor } = await search({ cursor }))
      reveal()?.querySelector('a, button').focus()
      ready()
    } catch (error) {
      failed(error)
    }
    more.disabled = false
  }
  // addPictures asks for the pictures, which the result for the model doesn't have.
  async function addPictures() {
    const photos = new Map((await search()).listings.map((item) => [item.id, item.photo ?? '']))
    for (const item of pending) item.photo = photos.get(item.id)
    for (const frame of cards.querySelectorAll('.frame')) showPhoto(frame, photos.get(frame.dataset.id))
  }

  reveal()
  if (host.serverTools && result.total > 0 && !result.listings.some((item) => item.photo)) addPictures().catch(() => {})

  return el('section', {},
    el('div.head', {}, heading(given.keyword ? `“${given.keyword}”` : (given.model && result.gear?.[0]?.gear_name) || 'Listings'), el('p.count', {}, count(result.total, 'listing', 'listings'))),
    (result.warnings ?? []).map((warning) => el('p.warning', {}, warning.message)),
    result.did_you_mean && el('p.warning', {}, `Did you mean ${result.did_you_mean}?`),
    result.total === 0 && el('p.lead', {}, 'No matches. Remove a filter or set an alert.'),
    cards,
    el('p.acts', {}, more, link(`/listings?${query(given)}`, { class: 'button quiet' }, `Open on ${site.name}`),
      (result.gear ?? []).slice(0, 1).map(({ gear, name }) => trendButton(gear, `Price history: ${name}`))))
}

const withoutDetail = ({ detail, include, ...rest }) => rest

// query returns the arguments of a search as a query string.
const query = ({ limit, cursor, detail, include, ...filters }) =>
  new URLSearchParams(Object.entries(filters).flatMap(([name, value]) => [value].flat().map((one) => [name, one])))

function card(item) {
  const frame = el('div.frame', { 'data-id': item.id })
  if (item.photo != null) showPhoto(frame, item.photo)
  const title = host.serverTools
    ? button({}, () => openListing(item.id), item.title)
    : link(path('listings', item.id), {}, item.title)
  return el('li.card', {}, frame, el('h2', { dir: 'auto' }, title),
    el('p.price', {}, el('b', {}, priceOf(item)), deal(item)),
    el('p.line', {}, conditionOf(item)),
    el('p.line', {}, `${item.seller} · ${regionName(item.region)}`))
}

function showPhoto(frame, src, alt = '') {
  frame.replaceChildren(picture(src, alt) || (src == null ? '' : 'No photo'))
}

// A listing

function statusText({ status, sold_price: price }) {
  if (price) return `Sold for ${money(price)}.`
  return { reserved: 'Reserved. It may become available again.', draft: 'Draft. Only you can see it.' }[status] ?? 'No longer for sale.'
}

function listingView(item) {
  const frame = el('div.frame', {})
  const gallery = el('div.gallery', {}, frame)
  if (item.photo_count === 0) showPhoto(frame, '')
  else if (item.photos) addPhotos(item.photos)
  else if (host.serverTools) call('get_listing', { id: item.id, include: ['photos'] }).then((full) => addPhotos(full.photos ?? []), () => {})

  function addPhotos(photos) {
    const choose = (src, i) => showPhoto(frame, src, `Photo ${i + 1} of ${item.title}`)
    choose(photos[0], 0)
    if (photos.length < 2) return
    const small = photos.slice(0, 8).map((src, i) => button({ 'aria-pressed': i === 0, 'aria-label': `Photo ${i + 1}` }, () => {
      choose(src, i)
      small.forEach((one) => one.setAttribute('aria-pressed', one === small[i]))
    }, el('span.frame', {}, picture(src, ''))))
    gallery.append(...small)
  }

  return el('article', {},
    el('div.listing', {}, gallery, el('div.buy', {},
      heading(item.title),
      !isForSale(item) && el('p.closed', {}, statusText(item)),
      el('p.price', {}, el('b', {}, money(item.price)), deal(item)),
      list('facts', [
        ['Condition', site.conditions[item.condition]],
        ['Works', site.functional[item.functional ?? 'fully_working']],
        ['Defects', (item.defects ?? []).map((code) => site.defects[code] ?? code).join(', ') || 'None reported'],
        ['Included', (item.included ?? []).join(', ')],
        ['Shutter count', item.shutter_count && number(item.shutter_count)],
        ['Region', regionName(item.region)],
        ['Seller', sellerOf(item)],
        ['Published', day(item.published_at)],
      ]))),
    item.description && [el('h2', {}, 'Description'), el('p.said', { dir: 'auto' }, item.description)],
    priceBar(item),
    el('p.acts', {}, link(path('listings', item.id), { class: 'button' }, `View on ${site.name}`), item.gear && trendButton(item.gear, 'Price history')))
}

function sellerOf(item) {
  const rating = item.seller_stars && `${item.seller_stars} stars`
  const sold = item.seller_sold > 0 && `${number(item.seller_sold)} sold`
  return [link(path('sellers', item.seller), {}, item.seller), ...[rating, sold].filter(Boolean).map((text) => ` · ${text}`)]
}

// priceOfGear returns the range and the middle of an estimate, or else of sales, their names, and
// what they rest on.
const priceOfGear = ({ estimate: e, sold: s = {} }) => e
  ? [e.low, e.median, e.high, 'Estimated price', '80% sell for', evidence(e)]
  : [s.p25, s.median, s.p75, 'Median sold price', 'Half sold for', soldIn(s)]

// priceBar shows the asking price beside what the gear sells for.
function priceBar(item) {
  const [from, middle, to, name, most, note] = priceOfGear(item)
  if (!middle || !from || !to) return null
  const [asked, p25, median, p75] = [item.price, from, middle, to].map(decimal)
  const spread = Math.max((p75 - p25) / 2, median / 20)
  const low = Math.min(p25 - spread, asked)
  const high = Math.max(p75 + spread, asked)
  const x = (value) => Math.round(12 + (976 * (value - low)) / (high - low))
  return [el('h2', {}, 'Price history'),
    el('figure.bar', {},
      svg('svg', { viewBox: '0 0 1000 56', preserveAspectRatio: 'none', 'aria-hidden': true },
        svg('path.half', { d: `M${x(p25)} 28H${x(p75)}` }),
        svg('path.middle', { d: `M${x(median)} 12V44` }), svg('path.asked', { d: `M${x(asked)} 4V52` })),
      el('figcaption', {}, el('b', {}, `Asking price ${money(item.price)}`), [`${name} ${money(middle)}`, `${most} ${range(from, to)}`, note].map((text) => el('span', {}, text))))]
}

// soldIn says how many sales there were and in which period.
const soldIn = ({ sample_size: n, to }) => !to ? 'No sales yet' : n ? `${count(n, 'sale', 'sales')} in the 12 months to ${day(to)}` : `No sale in 12 months, last on ${day(to)}`

// evidence says which sales an estimate rests on.
const evidence = ({ sales_12_months: n, last_sold_on: to, median_error: error }) =>
  (to ? soldIn({ sample_size: n, to }) : 'From similar models') + (error ? `; half of such estimates are within ${Math.round(error)}%` : '')

// A price trend, or the price of gear in one condition

const periods = [[12, '1 year'], [24, '2 years'], [60, '5 years']]

function trendView(trend) {
  const { estimate, sold, asking = {}, change, series, by_condition: grades } = trend
  const charted = el('div.charted', {})
  const table = el('div')
  const choices = periods.map(([months, label]) => button({ 'aria-pressed': months === 24 }, () => load(months), label))
  const draw = (months) => {
    charted.replaceChildren(...charts(trend.gear_name, months))
    table.replaceChildren(priceTable('Month', months.toReversed().map((row) => ({ ...row, name: monthName(row.month) }))))
  }
  async function load(months) {
    choices.forEach((choice, i) => choice.setAttribute('aria-pressed', periods[i][0] === months))
    try {
      draw((await call('get_trend', { ...slugOf(trend), months, include: ['quartiles'] })).series ?? [])
      ready()
    } catch (error) {
      if (series) draw(series)
      failed(error)
    }
  }
  if (host.serverTools) load(24)
  else if (series) draw(series)
  const grade = site.conditions[estimate?.condition ?? sold.condition]
  const [from, median, to, name, most, note] = priceOfGear(trend)

  return el('section', {},
    heading(trend.gear_name + (grade ? `, ${grade.toLowerCase()}` : '')),
    el('p.lead', {}, `${note}.`),
    trend.price && el('p.price', {}, el('b', {}, `Asking price ${money(`${trend.price.asking.amount} ${trend.price.asking.currency}`)}`), deal({ deal: trend.price.percent })),
    list('tiles', [
      [name, money(median) || 'not enough sales'],
      [most, range(from, to)],
      ...Object.entries({ '30d': '30 days', '90d': '90 days', '12m': '12 months' }).map(([key, period]) => [period, percent(change?.[key])]),
      ['For sale', number(asking.count ?? 0)],
      ['Lowest asking price', money(asking.lowest)],
    ]),
    (host.serverTools || series) && [
      el('div.head', {}, el('h2', {}, `Sold prices by month${grade ? ', all conditions' : ''}`),
        host.serverTools && el('div.months', { role: 'group', 'aria-label': 'Period' }, choices)),
      el('figure', {}, charted),
      el('details', {}, el('summary', {}, 'Months as a table'), table),
    ],
    grades.length > 0 && [el('h2', {}, 'By condition'), priceTable('Condition', grades.map((row) => ({ ...row, name: site.conditions[row.condition] })))],
    el('p.acts', {}, link(path('gear', trend.gear), { class: 'button' }, `View on ${site.name}`),
      asking.count > 0 && host.serverTools && button({ class: 'button quiet' }, () => openGear(trend.gear), `See ${number(asking.count)} for sale`)))
}

// openGear shows the listings of gear.
function openGear(gear) {
  args = { model: gear }
  visit('search', 'search_listings', args)
}

function priceTable(label, rows) {
  const head = (text) => el('th', { scope: 'col' }, text)
  return el('div.scroll', { role: 'region', 'aria-label': `Prices by ${label.toLowerCase()}`, tabindex: 0 }, el('table', {},
    el('thead', {}, el('tr', {}, head(label), head('Median'), head('Middle half'), head('Sales'))),
    el('tbody', {}, rows.map((row) => el('tr', {}, el('th', { scope: 'row' }, row.name), el('td', {}, money(row.median) || 'too few'),
      el('td', {}, range(row.p25, row.p75) || '–'), el('td', {}, number(row.sample_size)))))))
}

// The chart, as the page of the trend draws it: the median as a line, the middle half of
// the prices as a band. Months with too few sales are gaps.

const margin = { left: 58, right: 14, top: 14, bottom: 30 }

function charts(name, months) {
  if (!months.some((month) => month.median)) return [el('p.few', {}, 'No month has enough sales for a figure.')]
  const label = `Sold prices of the ${name} by month`
  return [chart('wide', 880, 330, months, label), chart('narrow', 360, 270, months, label)]
}

function chart(name, width, height, months, label) {
  const points = months.map((month, i) => ({
    ...month, i, value: decimal(month.median), low: decimal(month.p25 ?? month.median), high: decimal(month.p75 ?? month.median),
  })).filter((point) => point.median)
  const [low, high, step] = scale(Math.min(...points.map((p) => p.low)), Math.max(...points.map((p) => p.high)))
  const base = height - margin.bottom
  const x = (i) => round(months.length === 1 ? (margin.left + width - margin.right) / 2 : margin.left + ((width - margin.left - margin.right) * i) / (months.length - 1))
  const y = (price) => round(base - ((base - margin.top) * (price - low)) / (high - low))
  const currency = points[0].median.split(' ')[1]
  const lines = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, n) => low + n * step)

  return svg(`svg.chart.${name}`, { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    lines.map((price) => [
      svg('path.grid', { d: `M${margin.left} ${y(price)}H${width - margin.right}` }),
      svg('text', { x: margin.left - 8, y: y(price) + 4, 'text-anchor': 'end' }, money(`${price} ${currency}`)),
    ]),
    monthLabels(months, (width - margin.left) / 52).map(([i, text]) => [
      svg('path.tick', { d: `M${x(i)} ${base}v5` }),
      svg('text', { x: x(i), y: base + 20, 'text-anchor': 'middle' }, text),
    ]),
    svg('path.axis', { d: `M${margin.left} ${base}H${width - margin.right}` }),
    runsOf(points).map((run) => run.length === 1
      ? svg('path.whisker', { d: `M${x(run[0].i)} ${y(run[0].high)}V${y(run[0].low)}` })
      : [
          svg('path.band', { d: `M${run.map((p) => `${x(p.i)} ${y(p.high)}`).join('L')}L${run.toReversed().map((p) => `${x(p.i)} ${y(p.low)}`).join('L')}Z` }),
          svg('path.median', { d: `M${run.map((p) => `${x(p.i)} ${y(p.value)}`).join('L')}` }),
        ]),
    points.map((p) => svg('circle', { cx: x(p.i), cy: y(p.value), r: 2.5 },
      svg('title', {}, `${monthName(p.month)}: ${money(p.median)}, ${count(p.sample_size, 'sale', 'sales')}`))))
}

const round = (n) => Math.round(n * 10) / 10

// scale extends a range of prices to round numbers, with about five grid lines.
function scale(low, high) {
  const rough = Math.max(high - low, high * 0.1, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max([1, 2, 2.5, 5, 10].map((factor) => power * factor).find((one) => one >= rough), 1)
  const from = Math.floor(low / step) * step
  const to = Math.ceil(high / step) * step
  return [from, to === from ? to + step : to, step]
}

// runsOf splits points into runs of consecutive months.
function runsOf(points) {
  const runs = []
  for (const point of points) {
    if (runs.at(-1)?.at(-1).i === point.i - 1) runs.at(-1).push(point)
    else runs.push([point])
  }
  return runs
}

// monthLabels returns the months of the time axis with their labels, at most so many: by
// year if the series is long.
function monthLabels(months, most) {
  const every = [1, 2, 3, 6].find((n) => Math.floor(months.length / n) + 1 <= most) ?? 12
  return months.flatMap(({ month }, i) => {
    const inYear = Number(month.slice(5)) - 1
    if (inYear % every !== 0 && months.length > 1) return []
    const text = monthName(month)
    return [[i, every === 12 ? text.slice(-4) : inYear === 0 || months.length === 1 ? text : text.slice(0, 3)]]
  })
}

// The handshake

const { hostCapabilities = {}, hostContext = {} } = await request('ui/initialize', {
  protocolVersion: '2026-01-26',
  appInfo: { name: site.name, version: '1' },
  appCapabilities: { availableDisplayModes: ['inline'] },
})
host = hostCapabilities
adapt(hostContext)
post({ method: 'ui/notifications/initialized', params: {} })
new ResizeObserver(reportSize).observe(document.documentElement)
