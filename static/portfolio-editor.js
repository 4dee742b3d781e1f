// What editing a project does better with JavaScript. Files and folders are dropped onto
// the page; each file is sent in parts with its progress, and goes on where it stopped after
// a break or on another day. Photographs lie side by side: one or several are chosen,
// changed in a panel, and dragged into order or moved by keys; a click on the picture in the
// panel sets its crop point. Changes are saved as they are made.

const part = 1 << 20 // bytes
const retry = 3000 // milliseconds
const form = document.querySelector('#uploads')
const list = form.querySelector('[data-uploads]')
const prints = document.querySelector('.lights')
const status = document.querySelector('[data-status]')

// Uploads

let queue = Promise.resolve()

for (const field of form.querySelectorAll('input[type=file]')) {
  field.addEventListener('change', () => {
    add([...field.files])
    field.value = ''
  })
}
addEventListener('dragover', (event) => {
  if (!event.dataTransfer.types.includes('Files')) return
  event.preventDefault()
  form.classList.add('over')
})
addEventListener('dragleave', (event) => event.relatedTarget || form.classList.remove('over'))
addEventListener('drop', async (event) => {
  if (!event.dataTransfer.types.includes('Files')) return
  event.preventDefault()
  form.classList.remove('over')
  const dropped = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
  add((await Promise.all(dropped.map((item) => (item instanceof File ? item : filesOf(item))))).flat())
})

// filesOf resolves to the files in an entry of a file system and in its folders.
async function filesOf(entry) {
  if (!entry) return []
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))]
  const reader = entry.createReader()
  const files = []
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return files
    files.push(...(await Promise.all(some.map(filesOf))).flat())
  }
}

// add uploads files, one after another, without those that operating systems leave in
// folders, and shows them when all have arrived.
function add(files) {
  const named = new Set()
  for (const file of files) {
    if (/^\.|^(thumbs\.db|desktop\.ini|icon\r)$/i.test(file.name)) continue
    const row = document.createElement('li')
    const progress = document.createElement('progress')
    const note = document.createElement('span')
    progress.value = 0
    progress.setAttribute('aria-label', file.name)
    row.append(file.name, progress, note)
    list.append(row)
    if (named.has(file.name)) refuse(note, list.dataset.twice)
    else queue = queue.then(() => send(file, progress, note))
    named.add(file.name)
  }
  queue = queue.then(refresh)
}

function refuse(note, message) {
  note.textContent = message
  note.className = 'fault'
}

// send sends a file in parts. received is how much of it the server has.
async function send(file, progress, note) {
  if (file.size === 0) progress.value = 1
  let received
  while (received !== file.size) {
    try {
      const body = new FormData()
      body.set('name', file.name)
      body.set('size', Math.max(1, file.size))
      body.set('offset', received ?? 0)
      if (received !== undefined) body.set('photo', file.slice(received, received + part), file.name)
      const answer = await fetch(form.dataset.api, { method: 'POST', body, headers: { Accept: 'application/json' } })
      const said = await answer.json()
      if (answer.status === 429 || answer.status >= 500) throw new Error(said.message)
      if (!answer.ok) return refuse(note, `${(said.errors?.[0]?.message ?? said.message).replace(`${file.name}: `, '')} ${said.hint ?? ''}`)
      received = said.received ?? 0
      progress.value = received / file.size
      note.textContent = ''
    } catch {
      received = undefined
      note.textContent = list.dataset.waiting
      await new Promise((again) => setTimeout(again, retry))
    }
  }
  note.textContent = list.dataset.done
}

// refresh shows the photographs that the project has now. Those that are there stay as they
// are.
async function refresh() {
  const shown = new Map([...prints.children].map((item) => [item.dataset.file, item]))
  const items = []
  let first
  for (let address = location.pathname; address;) {
    const read = await pageAt(address)
    if (!read) return
    first ??= read
    for (const item of [...read.querySelector('.lights').children]) {
      const old = shown.get(item.dataset.file)
      for (const part of ['.crop', '.thumb img']) old?.querySelector(part).replaceWith(item.querySelector(part))
      items.push(old ?? item)
    }
    address = read.querySelector('.pager [rel=next]')?.getAttribute('href')
  }
  document.querySelector('[data-count]').replaceWith(first.querySelector('[data-count]'))
  prints.replaceChildren(...items)
  prints.dataset.first = 0
  prints.dataset.total = items.length
  number()
}

// pageAt resolves to a page of the project with the most photographs that one may have, or
// null.
async function pageAt(path) {
  const address = new URL(path, location.href)
  address.searchParams.set('limit', '100')
  const page = await fetch(address, { headers: { Accept: 'text/html' } }).then((answer) => answer.ok ? answer.text() : '').catch(() => '')
  const read = new DOMParser().parseFromString(page, 'text/html')
  return read.querySelector('.lights') && read
}

// Photographs

const several = document.querySelector('[data-several]')
const many = document.querySelector('[data-many]')
let current // the photograph whose fields are in the panel
let anchor // where a range begins

// number numbers the photographs after a change of their order.
function number() {
  const { first, total } = prints.dataset
  for (const [i, item] of [...prints.children].entries()) {
    item.id = `photo-${+first + i + 1}`
    item.querySelector('[value=up]').disabled = +first + i === 0
    item.querySelector('[value=down]').disabled = +first + i === total - 1
  }
  const tab = current?.isConnected ? current : prints.firstElementChild
  for (const thumb of prints.querySelectorAll('.thumb[tabindex="0"]')) thumb.tabIndex = -1
  if (tab) thumbOf(tab).tabIndex = 0
}

const thumbOf = (item) => item.querySelector('.thumb')
const isChosen = (item) => thumbOf(item).getAttribute('aria-pressed') === 'true'
const chosen = () => [...prints.children].filter(isChosen)
const placeOf = (item) => +prints.dataset.first + [...prints.children].indexOf(item) + 1

// choose chooses photographs, and shows the fields of one, or of several.
function choose(items, item) {
  for (const old of chosen()) if (!items.includes(old)) thumbOf(old).setAttribute('aria-pressed', 'false')
  for (const one of items) thumbOf(one).setAttribute('aria-pressed', 'true')
  current?.classList.remove('current')
  if (item) {
    if (current) thumbOf(current).tabIndex = -1
    current = item
    thumbOf(item).tabIndex = 0
  }
  if (items.length === 1) items[0].classList.add('current')
  if (items.length === 1) current = items[0]
  many.hidden = items.length < 2
  status.textContent = many.querySelector('h3').textContent = status.dataset.chosen.replace('{count}', items.length)
}

// pick chooses a photograph as a click or a key on it says.
function pick(item, { shiftKey, ctrlKey, metaKey }) {
  const items = [...prints.children]
  if (shiftKey && anchor?.isConnected) {
    const [from, to] = [items.indexOf(anchor), items.indexOf(item)].sort((a, b) => a - b)
    return choose(items.slice(from, to + 1), item)
  }
  anchor = item
  if (!ctrlKey && !metaKey && several.getAttribute('aria-pressed') !== 'true') return choose([item], item)
  choose(isChosen(item) ? chosen().filter((other) => other !== item) : [...chosen(), item], item)
}

several.addEventListener('click', () => several.setAttribute('aria-pressed', several.getAttribute('aria-pressed') !== 'true'))
document.querySelector('[data-all]').addEventListener('click', () => choose([...prints.children], current ?? prints.firstElementChild))
addEventListener('click', (event) => event.target.closest('[data-none]') && leave())

function leave() {
  choose([])
  if (current) thumbOf(current).focus()
}

// save saves the form of a photograph, and a step or a position with it.
let saving = Promise.resolve()

function save(item, change = {}) {
  saving = saving.then(async () => {
    const { focus_x, focus_y, hidden, ...fields } = Object.fromEntries(new FormData(item.querySelector('form')))
    await put('PUT', encodeURIComponent(item.dataset.file), { ...fields, focus_x: +focus_x, focus_y: +focus_y, hidden: hidden === 'true', ...change }, item.querySelector('.acts'))
    item.classList.toggle('unseen', hidden === 'true')
  })
  return saving
}

// saveAll saves a change of several photographs.
function saveAll(items, change) {
  saving = saving.then(() => put('PATCH', 'photos', { photos: items.map((item) => item.dataset.file), ...change }, items.length > 1 ? many.querySelector('.acts') : items[0].querySelector('.acts')))
  return saving
}

// put sends a change and says beside the buttons in acts what became of it.
async function put(method, path, change, acts) {
  const answer = await fetch(`${prints.dataset.api}/${path}`, { method, body: JSON.stringify(change), headers: { Accept: 'application/json', 'Content-Type': 'application/json' } }).catch(() => null)
  const said = await answer?.json().catch(() => null)
  let note = acts.querySelector('output')
  if (!note) acts.append(note = document.createElement('output'))
  note.className = answer?.ok ? 'few' : 'fault'
  note.textContent = answer?.ok ? status.dataset.saved : said ? `${said.errors?.[0]?.message ?? said.message} ${said.hint ?? ''}` : list.dataset.waiting
  if (answer?.ok) status.textContent = status.dataset.saved
}

prints.addEventListener('change', (event) => save(event.target.closest('li')))

prints.addEventListener('submit', (event) => {
  const item = event.target.closest('li')
  const step = event.submitter?.value
  event.preventDefault()
  if (step === 'up' || step === 'down') move([item], step === 'up' ? -1 : 1, event.submitter)
  else if (step === 'cover') cover(item)
  else if (step === 'remove') remove(item)
  else save(item)
})

many.addEventListener('submit', (event) => {
  event.preventDefault()
  const { hidden, ...texts } = Object.fromEntries([...new FormData(many)].filter(([, value]) => value !== ''))
  const items = chosen()
  for (const item of items) {
    const fields = item.querySelector('form')
    for (const [name, value] of Object.entries(texts)) fields[name].value = value
    if (!hidden) continue
    fields.elements.hidden.value = hidden
    item.classList.toggle('unseen', hidden === 'true')
  }
  saveAll(items, hidden ? { ...texts, hidden: hidden === 'true' } : texts).then(() => many.reset())
})

function cover(item) {
  for (const badge of prints.querySelectorAll('.is-cover')) badge.hidden = !item.contains(badge)
  save(item, { step: 'cover' })
}

function remove(item) {
  save(item, { step: 'remove' }).then(() => {
    if (item.querySelector('.acts .fault')) return
    const next = item.nextElementSibling ?? item.previousElementSibling
    item.remove()
    prints.dataset.total--
    if (next) choose([next], next)
    number()
    if (next) thumbOf(next).focus()
  })
}

// move moves photographs by a number of places.
function move(items, by, focused) {
  const others = [...prints.children].filter((item) => !items.includes(item))
  const at = [...prints.children].indexOf(items[0]) + by
  if (at < 0 || at > others.length) return
  settle(items, others[at])
  const still = focused.disabled ? thumbOf(items[0]) : focused
  still.focus()
}

// settle puts photographs before another, or last, and saves their place.
function settle(items, before) {
  for (const item of items) prints.insertBefore(item, before ?? null)
  number()
  const place = placeOf(items[0])
  status.textContent = status.dataset.place.replace('{place}', place).replace('{total}', prints.dataset.total)
  saveAll(items, { position: place })
}

prints.addEventListener('keydown', (event) => {
  const thumb = event.target.closest('.thumb')
  if (event.key === 'Escape') return leave()
  if (!thumb) return
  const items = [...prints.children]
  const item = thumb.parentElement
  const columns = items.filter(({ offsetTop }) => offsetTop === items[0].offsetTop).length
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -items.length, End: items.length }[event.key]
  if (event.key === 'a' && (event.ctrlKey || event.metaKey)) choose(items, item)
  else if (event.key === ' ') pick(item, { ctrlKey: true })
  else if (event.key === 'Enter') {
    pick(item, event)
    item.querySelector('[name=title]').focus()
  } else if (by && event.altKey) move(isChosen(item) ? chosen() : [item], by, thumb)
  else if (by) {
    const to = items[Math.min(items.length - 1, Math.max(0, items.indexOf(item) + by))]
    if (event.shiftKey) pick(to, event)
    thumb.tabIndex = -1
    thumbOf(to).tabIndex = 0
    thumbOf(to).focus()
  } else return
  event.preventDefault()
})

// Choosing and dragging, with a mouse, a pen or a finger that rests before it moves

const edge = 80 // pixels from the top or bottom of the window where it scrolls
const hold = 350 // milliseconds that a finger rests before it drags

prints.addEventListener('pointerdown', (event) => {
  const thumb = event.target.closest('.thumb')
  if (!thumb || event.button !== 0) return
  const item = thumb.parentElement
  const id = event.pointerId
  const from = { x: event.clientX, y: event.clientY }
  let at = from
  let dragged // the photographs, once they move
  let before // where they go
  let frame
  const timer = event.pointerType === 'mouse' ? undefined : setTimeout(begin, hold)
  addEventListener('pointermove', go)
  addEventListener('pointerup', end)
  addEventListener('pointercancel', end)
  addEventListener('touchmove', still, { passive: false })

  function begin() {
    dragged = isChosen(item) ? chosen() : [item]
    for (const one of dragged) one.classList.add('dragged')
    frame = requestAnimationFrame(scroll)
  }
  function still(event) {
    if (dragged) event.preventDefault()
  }
  function go(event) {
    if (event.pointerId !== id) return
    at = { x: event.clientX, y: event.clientY }
    const far = Math.hypot(at.x - from.x, at.y - from.y) > 6
    if (!dragged && far && timer === undefined) begin()
    else if (!dragged && far) return end(event) // the page scrolls
    if (dragged) aim()
  }
  // aim marks where the photographs would go: before the one under the pointer, or after it.
  function aim() {
    const over = document.elementsFromPoint(at.x, at.y).map((e) => e.closest('.lights > li')).find(Boolean)
    if (!over || dragged.includes(over)) return
    const { left, width } = over.getBoundingClientRect()
    before = at.x < left + width / 2 ? over : over.nextElementSibling
    while (dragged.includes(before)) before = before.nextElementSibling
    for (const mark of prints.querySelectorAll('.to')) mark.classList.remove('to', 'after')
    ;(before ?? prints.lastElementChild).classList.add('to')
    if (!before) prints.lastElementChild.classList.add('after')
  }
  function scroll() {
    const by = at.y < edge ? at.y - edge : Math.max(0, at.y - innerHeight + edge)
    if (by !== 0) {
      scrollBy({ top: by / 4, behavior: 'instant' })
      aim()
    }
    frame = requestAnimationFrame(scroll)
  }
  function end(event) {
    if (event.pointerId !== id) return
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    removeEventListener('pointermove', go)
    removeEventListener('pointerup', end)
    removeEventListener('pointercancel', end)
    removeEventListener('touchmove', still)
    for (const mark of prints.querySelectorAll('.to, .dragged')) mark.classList.remove('to', 'after', 'dragged')
    if (event.type !== 'pointerup') return
    if (!dragged) return pick(item, event)
    if (before !== undefined) settle(dragged, before)
  }
})

// The crop point

prints.addEventListener('click', (event) => {
  const crop = event.target.closest('.crop')
  if (!crop) return
  const item = crop.closest('li')
  const box = crop.getBoundingClientRect()
  const percent = (at, from, length) => Math.min(100, Math.max(0, Math.round(100 * (at - from) / length)))
  const [x, y] = [percent(event.clientX, box.left, box.width), percent(event.clientY, box.top, box.height)]
  const fields = item.querySelector('form')
  fields.focus_x.value = x
  fields.focus_y.value = y
  crop.style.setProperty('--fx', `${x}%`)
  crop.style.setProperty('--fy', `${y}%`)
  save(item)
})

// All photographs of the project lie on the table.
if (document.querySelector('.light-table .pager')) refresh().then(() => document.querySelector('.light-table .pager').remove())
number()

// Files that were chosen before this script ran.
for (const field of form.querySelectorAll('input[type=file]')) if (field.files.length) field.dispatchEvent(new Event('change'))
