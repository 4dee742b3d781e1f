// What a page does a little better with JavaScript. Nothing needs it: every
// link and form here works without.

// texts are those of this page in its language: see views/ui/scripts.go.
const texts = document.body.dataset

// Members read times in the time zone of their browser, which the server learns here.
if (document.querySelector('.me, form[action="/sign-in"]')) {
  document.cookie = `zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`
}

// A search is narrowed without loading the whole page again. The address
// changes as it would have, and the reader keeps their place.
const inSearch = 'main :is(.facet, .chosen, .sorts, .pager) a[href^="/listings"]'

addEventListener('click', (event) => {
  const link = event.target.closest?.(inSearch)
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  if (link.matches('.more')) expand(link)
  else show(link.href, true, link.closest('.pager'))
})

addEventListener('submit', (event) => {
  const form = event.target
  if (!form.matches('main form.facets')) return
  event.preventDefault()
  narrow(form)
})

// Filters apply as they are chosen.
addEventListener('change', (event) => {
  const form = event.target.closest?.('main form.facets')
  if (form && event.target.checkValidity()) narrow(form)
})

function narrow(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== '')
  show(form.action.split('?')[0] + '?' + new URLSearchParams(filled), true)
}

// A skip link changes the fragment only, and shows the same search.
addEventListener('popstate', () => {
  if (document.querySelector('#search') && shown !== searchOf(location)) show(location.href, false)
})

const searchOf = ({ pathname, search }) => pathname + search
let shown = searchOf(location)
let latest = 0

async function show(address, push, fromTop) {
  const turn = ++latest
  const main = document.querySelector('main')
  main.setAttribute('aria-busy', 'true')
  try {
    const open = unfolded()
    const page = await load(address, open.length)
    if (turn !== latest) return
    const focused = nameOf(document.activeElement)
    const filtering = main.querySelector('#filters:popover-open')
    main.replaceChildren(...page.querySelector('main').childNodes)
    document.title = page.title
    freshen()
    dispatchEvent(new Event('results'))
    if (filtering) main.querySelector('#filters').showPopover()
    if (push) history.pushState(null, '', address)
    shown = searchOf(new URL(address, location))
    if (open.length) openOnly(open)
    const again = [...main.querySelectorAll('a, input, button, select, summary')].find((element) => nameOf(element) === focused)
    if (fromTop) scrollTo(0, 0)
    ;(again && !fromTop ? again : main).focus({ preventScroll: true })
    say(main.querySelector('.count').textContent)
  } catch {
    location.assign(address)
  } finally {
    if (turn === latest) main.removeAttribute('aria-busy')
  }
}

// load resolves to the page of a search: with the filters that are seen first, or with all of
// them, unfolded.
async function load(address, all) {
  const url = new URL(address, location)
  if (all) url.searchParams.set('view', 'full')
  const answer = await fetch(url, { headers: { Accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (!answer.ok || !page.querySelector('#search')) throw answer
  return page
}

// expand loads all filters, and unfolds those that a link stands for.
async function expand(link) {
  const name = nameOf(link)
  const open = unfolded()
  try {
    const page = await load(link.href)
    if (!link.isConnected) return // other results were loaded
    document.querySelector('#filters').replaceChildren(...page.querySelector('#filters').childNodes)
    fill()
    openOnly([...open, name])
    folds().find((details) => nameOf(details) === name).firstElementChild.focus({ preventScroll: true })
  } catch {
    location.assign(link.href)
  }
}

const folds = () => [...document.querySelectorAll('#filters details')]

// unfolded returns the names of filters that are unfolded, and openOnly unfolds these only.
const unfolded = () => folds().filter((details) => details.open).map(nameOf)

function openOnly(names) {
  for (const details of folds()) details.open = names.includes(nameOf(details))
}

// freshen removes the badges of listings that are no longer new: a page may have been
// rendered hours ago.
function freshen() {
  for (const badge of document.querySelectorAll('.card .new')) {
    if (Date.now() - Date.parse(badge.closest('time').dateTime) > 864e5) badge.remove()
  }
}

freshen()

// fill adds the options of a list that is the same on every page. If it can't be loaded, it
// is tried again when somebody opens it.
function fill() {
  for (const select of document.querySelectorAll('select[data-options]')) {
    fetch(select.dataset.options).then((answer) => answer.ok ? answer.text() : '').then((options) => {
      if (!options || !select.dataset.options) return
      delete select.dataset.options
      select.insertAdjacentHTML('beforeend', options)
    }).catch(() => {})
  }
}

fill()
addEventListener('results', fill)
addEventListener('focusin', (event) => event.target.matches('select[data-options]') && fill())

// nameOf finds the same control on the page that follows. What a link to more filters stands
// for has the same name.
function nameOf(element) {
  const facet = element.closest('.facet, .sorts, .chosen')
  const heading = facet?.querySelector('h2')?.textContent ?? facet?.className
  if (element.matches('details, .more')) return heading
  return [heading, element.tagName, element.name ? element.name + (element.type === 'checkbox' ? element.value : '') : element.textContent.trim()].join('|')
}

// say tells what changed to who does not see it.
function say(text) {
  let voice = document.querySelector('#voice')
  if (!voice) {
    voice = document.createElement('p')
    document.body.append(Object.assign(voice, { id: 'voice', className: 'sr-only', role: 'status' }))
  }
  voice.textContent = text
}

// kept returns a list stored on this device, and keep stores one. Where nothing may be
// stored, lists are empty.
function kept(name) {
  try {
    const list = JSON.parse(localStorage.getItem(name))
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

function keep(name, list) {
  try {
    list.length ? localStorage.setItem(name, JSON.stringify(list)) : localStorage.removeItem(name)
  } catch {
    // The browser refuses to store anything.
  }
}

// Pages that were visited open without a connection, too: see offline.js. They can be read
// only.
addEventListener('load', () => navigator.serviceWorker?.register('/service-worker.js').catch(() => {}))
if (document.querySelector('.offline')) {
  for (const button of document.querySelectorAll('form[method=post] button')) button.disabled = true
}

// Buttons that print the page need this script.
for (const button of document.querySelectorAll('[data-print]')) button.addEventListener('click', () => print())

// The month under the pointer, read out beside the line of a chart. The table
// below it has the same figures.
for (const figure of document.querySelectorAll('.charted')) {
  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.hidden = true
  figure.append(tip)
  let near
  const leave = () => {
    near?.classList.remove('near')
    near = null
    tip.hidden = true
  }
  figure.addEventListener('pointerleave', leave)
  figure.addEventListener('pointermove', (event) => {
    const chart = event.target.closest('svg')
    if (!chart) return
    let best = Infinity
    let mark
    for (const circle of chart.querySelectorAll('circle')) {
      const box = circle.getBoundingClientRect()
      const away = Math.abs(box.left + box.width / 2 - event.clientX)
      if (away < best) [best, mark] = [away, circle]
    }
    if (!mark || mark === near) return
    leave()
    near = mark
    mark.classList.add('near')
    tip.textContent = mark.textContent
    tip.hidden = false
    const frame = figure.getBoundingClientRect()
    const box = mark.getBoundingClientRect()
    const left = Math.min(Math.max(box.left - frame.left - tip.offsetWidth / 2, 0), frame.width - tip.offsetWidth)
    tip.style.transform = `translate(${left}px, ${Math.max(box.top - frame.top - tip.offsetHeight - 12, 0)}px)`
  })
}
