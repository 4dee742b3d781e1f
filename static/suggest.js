// Suggestions and recent searches under search boxes: a combobox with a list as in
// the ARIA Authoring Practices. Without this script a box is an ordinary form.

const searchesKept = 6
const typingPause = 120 // milliseconds

for (const box of document.querySelectorAll('form[role=search] input[type=search]')) suggestFor(box)

// suggestFor adds suggestions to a search box.
function suggestFor(box) {
  const form = box.form
  const ofCatalogue = form.getAttribute('action') === '/gear'
  const popup = make('div', { className: 'suggestions', hidden: true })
  const title = make('p', { id: `${box.id}-title` })
  const list = make('ul', { id: `${box.id}-list`, role: 'listbox' })
  const clear = make('button', { type: 'button', className: 'quiet', textContent: texts.forget })
  list.setAttribute('aria-labelledby', title.id)
  popup.append(title, list, clear)
  form.append(popup)
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-controls': list.id, 'aria-autocomplete': 'list', autocomplete: 'off' })) box.setAttribute(name, value)

  const known = new Map() // suggestions by text
  let rows = [] // shown: { label, note, page } or { label } for a search
  let active = -1
  let waiting, request, silentUntil = 0

  const close = () => {
    clearTimeout(waiting)
    request?.abort()
    popup.hidden = true
    box.setAttribute('aria-expanded', 'false')
    activate(-1)
  }
  const activate = (i) => {
    active = i
    for (const [n, option] of [...list.children].entries()) option.setAttribute('aria-selected', n === i)
    if (i < 0) return box.removeAttribute('aria-activedescendant')
    box.setAttribute('aria-activedescendant', list.children[i].id)
    list.children[i].scrollIntoView({ block: 'nearest' })
  }
  const open = (found, heading) => {
    rows = found
    if (!rows.length || document.activeElement !== box) return close()
    title.textContent = heading
    clear.hidden = heading === texts.suggestions
    list.replaceChildren(...rows.map((row, i) => {
      const option = make('li', { id: `${list.id}-${i}`, role: 'option' })
      option.append(make('span', { textContent: row.label }))
      if (row.note) option.append(' ', make('small', { textContent: row.note }))
      return option
    }))
    activate(-1)
    popup.hidden = false
    box.setAttribute('aria-expanded', 'true')
    say(`${heading}: ${rows.length}. ${texts.keys}`)
  }
  const choose = (row) => {
    close()
    if (row.page) return location.assign(row.page)
    box.value = row.label
    form.requestSubmit()
  }
  const suggest = async (text) => {
    request?.abort()
    if (Date.now() < silentUntil) return
    request = new AbortController()
    try {
      if (!known.has(text)) {
        const answer = await fetch(`/api/suggest?q=${encodeURIComponent(text)}`, { signal: request.signal, credentials: 'omit', headers: { Accept: 'application/json' } })
        if (!answer.ok) {
          silentUntil = Date.now() + 1000 * (answer.headers.get('Retry-After') ?? 1)
          return close()
        }
        known.set(text, (await answer.json()).suggestions)
      }
      if (typed(box) === text) open(known.get(text).filter((s) => !ofCatalogue || s.kind !== 'category').map((s) => rowOf(s, ofCatalogue)), texts.suggestions)
    } catch (err) {
      if (err.name !== 'AbortError') close()
    }
  }
  const refresh = () => {
    clearTimeout(waiting)
    const text = typed(box)
    if (text) waiting = setTimeout(suggest, typingPause, text)
    else open(recentSearches().map((label) => ({ label })), texts.recent)
  }

  box.addEventListener('input', refresh)
  box.addEventListener('click', () => popup.hidden && refresh())
  box.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return
    if (popup.hidden) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      refresh()
    } else {
      const last = rows.length - 1
      const to = { ArrowDown: active < last ? active + 1 : -1, ArrowUp: active < 0 ? last : active - 1, Home: 0, End: last }[event.key]
      if (event.key === 'Escape') close()
      else if (event.key === 'Enter' && active >= 0) choose(rows[active])
      else if (to === undefined || (active < 0 && (event.key === 'Home' || event.key === 'End'))) return
      else activate(to)
    }
    event.preventDefault()
  })
  list.addEventListener('pointerdown', (event) => event.preventDefault()) // keeps the focus in the box
  list.addEventListener('click', (event) => {
    const option = event.target.closest('li')
    if (option) choose(rows[[...list.children].indexOf(option)])
  })
  clear.addEventListener('click', () => {
    keep('searches', [])
    box.focus()
    close()
    say(texts.forgotten)
  })
  form.addEventListener('focusout', (event) => form.contains(event.relatedTarget) || close())
  form.addEventListener('submit', () => {
    const text = typed(box)
    if (text && !ofCatalogue) keep('searches', [text, ...recentSearches().filter((other) => other.toLowerCase() !== text.toLowerCase())].slice(0, searchesKept))
    close()
  })
}

// typed returns the text in a box without spaces around it.
function typed(box) {
  return box.value.trim().replace(/\s+/g, ' ').slice(0, 100)
}

// rowOf returns the row of a suggestion: in the catalogue it leads to the gear or brand,
// elsewhere to what is for sale.
function rowOf({ kind, value, label, alias, for_sale, page }, ofCatalogue) {
  const note = [alias, (kind === 'brand' || kind === 'category') && texts[kind], for_sale && texts.forSale.replace('%', for_sale.toLocaleString(document.documentElement.lang))].filter(Boolean).join(', ')
  const translated = kind === 'category' && document.body.getAttribute(`data-category-${value}`)
  return { label: translated || label, note, page: ofCatalogue ? `/gear/${value}` : page }
}

function recentSearches() {
  return kept('searches').filter((text) => typeof text === 'string')
}

function make(name, { role, ...properties }) {
  const element = Object.assign(document.createElement(name), properties)
  if (role) element.setAttribute('role', role)
  return element
}
