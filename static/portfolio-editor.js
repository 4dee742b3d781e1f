// What editing a project does better with JavaScript. Files and folders are dropped onto
// the page; each file is sent in parts with its progress, and goes on where it stopped after
// a break or on another day. Photographs are dragged into order, or moved by arrow keys,
// and a click on a picture sets its crop point. Changes are saved as they are made.

const part = 1 << 20 // bytes
const retry = 3000 // milliseconds
const form = document.querySelector('#uploads')
const list = form.querySelector('[data-uploads]')
const prints = document.querySelector('.prints')
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

// refresh shows the photographs that the project has now. Forms that are there stay as
// they are.
async function refresh() {
  const page = await fetch(location.href).then((answer) => answer.text()).catch(() => '')
  const read = new DOMParser().parseFromString(page, 'text/html')
  const now = read.querySelector('.prints')
  if (!now) return
  document.querySelector('[data-count]').replaceWith(read.querySelector('[data-count]'))
  const shown = new Map([...prints.children].map((item) => [item.dataset.file, item]))
  const items = [...now.children].map((item) => {
    const old = shown.get(item.dataset.file)
    old?.querySelector('.crop').replaceWith(item.querySelector('.crop'))
    return old ?? item
  })
  prints.replaceChildren(...items)
  prints.dataset.total = now.dataset.total
  number()
}

// Photographs

// number numbers the photographs after a change of their order.
function number() {
  const { first, total } = prints.dataset
  for (const [i, item] of [...prints.children].entries()) {
    item.id = `photo-${+first + i + 1}`
    item.querySelector('[value=up]').disabled = +first + i === 0
    item.querySelector('[value=down]').disabled = +first + i === total - 1
  }
}

// placeOf returns the place of a photograph in the project, from 1.
const placeOf = (item) => +prints.dataset.first + [...prints.children].indexOf(item) + 1

// save saves the form of a photograph, and a step or a position with it.
let saving = Promise.resolve()

function save(item, change = {}) {
  saving = saving.then(() => put(item, change))
  return saving
}

async function put(item, change) {
  const fields = Object.fromEntries(new FormData(item.querySelector('form')))
  const body = JSON.stringify({ ...fields, focus_x: +fields.focus_x, focus_y: +fields.focus_y, ...change })
  const answer = await fetch(`${prints.dataset.api}/${encodeURIComponent(item.dataset.file)}`, { method: 'PUT', body, headers: { Accept: 'application/json', 'Content-Type': 'application/json' } }).catch(() => null)
  const said = await answer?.json().catch(() => null)
  if (answer?.ok) return say(item, status.dataset.saved)
  say(item, said ? `${said.errors?.[0]?.message ?? said.message} ${said.hint ?? ''}` : list.dataset.waiting, 'fault')
}

// say shows a message beside the buttons of a photograph, and reads it out.
function say(item, message, kind = 'few') {
  let note = item.querySelector('.acts output')
  if (!note) item.querySelector('.acts').append(note = document.createElement('output'))
  note.className = kind
  note.textContent = message
}

prints.addEventListener('change', (event) => save(event.target.closest('li')))

prints.addEventListener('submit', (event) => {
  const item = event.target.closest('li')
  const step = event.submitter?.value
  const other = { up: item.previousElementSibling, down: item.nextElementSibling }[step]
  if ((step === 'up' || step === 'down') && !other) return // onto another page
  event.preventDefault()
  if (other) move(item, other, event.submitter)
  else if (step === 'cover') cover(item)
  else if (step === 'remove') remove(item)
  else save(item)
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
    number()
    next?.querySelector('.handle').focus()
  })
}

// move puts a photograph in the place of another and saves it.
function move(item, other, focused) {
  const later = item.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING
  other[later ? 'after' : 'before'](item)
  settle(item)
  const still = focused.disabled ? item.querySelector('.handle') : focused
  still.focus()
}

// settle saves the place of a photograph.
function settle(item) {
  number()
  const place = placeOf(item)
  status.textContent = status.dataset.place.replace('{place}', place).replace('{total}', prints.dataset.total)
  save(item, { position: place })
}

prints.addEventListener('keydown', (event) => {
  const handle = event.target.closest('.handle')
  const item = event.target.closest('li')
  const other = handle && { ArrowUp: item.previousElementSibling, ArrowDown: item.nextElementSibling }[event.key]
  if (!other) return
  event.preventDefault()
  move(item, other, handle)
})

// Dragging, with a mouse, a pen or a finger

const edge = 80 // pixels from the top or bottom of the window where it scrolls

prints.addEventListener('pointerdown', (event) => {
  const handle = event.target.closest('.handle')
  if (!handle || event.button !== 0) return
  const item = handle.closest('li')
  const from = placeOf(item)
  let y = event.clientY
  let frame = requestAnimationFrame(scroll)
  const id = event.pointerId
  item.classList.add('dragged')
  resize(true)
  addEventListener('pointermove', drag)
  addEventListener('pointerup', drop)
  addEventListener('pointercancel', drop)

  function drag(event) {
    if (event.pointerId !== id) return
    y = event.clientY
    const over = [...prints.children].find((other) => {
      const { top, bottom } = other.getBoundingClientRect()
      return y >= top && y <= bottom
    })
    if (!over || over === item) return
    const { top, height } = over.getBoundingClientRect()
    const later = item.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING
    if (later ? y > top + height / 2 : y < top + height / 2) over[later ? 'after' : 'before'](item)
  }
  // resize shows small pictures alone while one is dragged, and keeps that one in its place.
  function resize(sorting) {
    prints.classList.toggle('sorting', sorting)
    const { top, height } = handle.getBoundingClientRect()
    scrollBy({ top: top + height / 2 - y, behavior: 'instant' })
  }
  function scroll() {
    const by = y < edge ? y - edge : Math.max(0, y - innerHeight + edge)
    if (by !== 0) scrollBy({ top: by / 4, behavior: 'instant' })
    frame = requestAnimationFrame(scroll)
  }
  function drop(event) {
    if (event.pointerId !== id) return
    cancelAnimationFrame(frame)
    item.classList.remove('dragged')
    resize(false)
    removeEventListener('pointermove', drag)
    removeEventListener('pointerup', drop)
    removeEventListener('pointercancel', drop)
    if (placeOf(item) !== from) settle(item)
  }
})

// The crop point

prints.addEventListener('click', (event) => {
  const crop = event.target.closest('.crop')
  if (!crop) return
  const item = crop.closest('li')
  const box = crop.getBoundingClientRect()
  const percent = (at, from, length) => Math.min(100, Math.max(0, Math.round(100 * (at - from) / length)))
  point(item, percent(event.clientX, box.left, box.width), percent(event.clientY, box.top, box.height))
  save(item)
})
prints.addEventListener('input', (event) => {
  const { focus_x: x, focus_y: y } = event.target.form
  if (event.target === x || event.target === y) point(event.target.closest('li'), x.value, y.value)
})

// point shows the crop point of a photograph, in percent from the left and the top.
function point(item, x, y) {
  const fields = item.querySelector('form')
  fields.focus_x.value = x
  fields.focus_y.value = y
  const crop = item.querySelector('.crop')
  crop.style.setProperty('--fx', `${x}%`)
  crop.style.setProperty('--fy', `${y}%`)
}

// Files that were chosen before this script ran.
for (const field of form.querySelectorAll('input[type=file]')) if (field.files.length) field.dispatchEvent(new Event('change'))
