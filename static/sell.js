// What the form that sells does better with JavaScript: photos are uploaded as they are
// chosen, and dragged into order; a draft is saved at every change, and what depends on
// it (the model, its defects, what it sells for) is replaced by what the server renders.
// Every button works without. say is that of site.js, which every page has run before.

const pause = 600 // milliseconds after the last key until a draft is saved
const retry = 5000

const form = document.querySelector('form[data-sell]')
const texts = form.dataset
const withValue = (text, value) => text.replace('%', () => value)
const isDraft = form.dataset.sell === 'draft'
const files = form.querySelector('input[type=file]')
const rendered = new Map([...form.querySelectorAll('[data-part]')].map((part) => [part.dataset.part, part.innerHTML]))

let queue = Promise.resolve()
let unsaved = false
let leaving = false
let modelChosen = false
let timer

// enqueue runs a task after those that were enqueued before.
const enqueue = (task) => (queue = queue.then(task))

// post sends a body and resolves to whether it was accepted, and to the page that
// follows. It rejects if there is no form on it.
function post(body, { path = '', progress } = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', form.getAttribute('action') + path)
    request.setRequestHeader('Accept', 'text/html')
    request.responseType = 'document'
    if (progress) request.upload.onprogress = ({ loaded, total }) => (progress.value = loaded / total)
    request.onerror = () => reject(new Error('offline'))
    request.onload = () => {
      const fresh = request.response?.querySelector('form[data-sell]')
      if (fresh) resolve({ accepted: request.status < 400, fresh })
      else reject(new Error(request.statusText))
    }
    request.send(body)
  })
}

// refresh shows what has changed in a form that the server has rendered.
function refresh(fresh) {
  form.elements.if_match.value = fresh.querySelector('[name=if_match]').value
  if (isDraft) history.replaceState(null, '', form.action)
  for (const part of fresh.querySelectorAll('[data-part]')) replacePart(part)
}

// replacePart replaces a part unless it is being filled in.
function replacePart(part) {
  const name = part.dataset.part
  const current = form.querySelector(`[data-part="${name}"]`)
  const focused = current.contains(document.activeElement) ? document.activeElement : null
  if (rendered.get(name) === part.innerHTML) return
  if (name !== 'photos' && unsaved) return
  if (focused?.matches('input[type=text]')) return
  rendered.set(name, part.innerHTML)
  current.replaceChildren(...document.importNode(part, true).childNodes)
  if (focused) again(current, focused)?.focus()
  dress()
}

// again finds a control in the part that has replaced its own, or one beside it.
function again(part, { id, name, value }) {
  const controls = [...part.querySelectorAll('button, select, summary, input:not([type=hidden])')]
  const same = controls.find((e) => (id ? e.id === id : e.name === name && e.value === value))
  if (same?.disabled) return same.closest('.acts')?.querySelector('button:not([disabled])')
  return same ?? controls[0]
}

// showFaults shows the errors of fields beside them, without moving the focus.
function showFaults(fresh) {
  const outside = (root) => [...root.querySelectorAll('.fault[id]')].filter((fault) => !fault.closest('[data-part=photos]'))
  for (const fault of outside(form)) {
    controlOf(fault)?.removeAttribute('aria-invalid')
    fault.remove()
  }
  for (const fault of outside(fresh)) {
    const control = controlOf(fault)
    if (!control) continue
    control.setAttribute('aria-invalid', 'true')
    control.setAttribute('aria-describedby', [fault.id, `${control.id}-help`].filter((id) => id === fault.id || document.getElementById(id)).join(' '))
    const field = control.closest('.field')
    field.insertBefore(document.importNode(fault, true), field.querySelector(':scope > :is(input, select, textarea, div, label:has(input))'))
  }
}

function controlOf(fault) {
  return document.getElementById(fault.id.replace(/-fault$/, ''))
}

// note says whether the draft is saved.
function note(text) {
  const line = form.querySelector('[data-saved]')
  if (line && line.textContent !== text) line.textContent = text
}

// changed saves a draft soon. A published listing is changed only by its button.
function changed(soon) {
  unsaved = true
  if (!isDraft) return
  clearTimeout(timer)
  timer = setTimeout(() => enqueue(save), soon ? 0 : pause)
}

async function save(extra = {}) {
  clearTimeout(timer)
  const body = new FormData(form)
  body.delete('photo')
  for (const [name, value] of Object.entries(extra)) body.append(name, value)
  unsaved = false
  note(texts.saving)
  try {
    const { accepted, fresh } = await post(body)
    refresh(fresh)
    showFaults(fresh)
    const faults = fresh.querySelectorAll('.refused li').length
    if (accepted) note(texts.done)
    else if (faults || fresh.querySelector('.fault')) note(texts.marked)
    else note(withValue(texts.unsaved, fresh.querySelector('.refused')?.textContent.trim() ?? ''))
  } catch {
    unsaved = true
    note(texts.later)
    timer = setTimeout(() => enqueue(save), retry)
  }
}

form.addEventListener('input', ({ target }) => {
  if (target === files) return
  if (target.name === 'gear') modelChosen = true
  if (target.name === 'title' && !modelChosen && form.elements.gear) form.elements.gear.value = ''
  changed(target.matches('[type=radio], [type=checkbox], select'))
  if (target.name === 'condition' && !isDraft) enqueue(followGrade)
})

// followGrade shows what the item sells for in the chosen grade.
async function followGrade() {
  const answer = await fetch(`${form.getAttribute('action')}?condition=${form.elements.condition.value}`, { headers: { Accept: 'text/html' } })
  const part = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-part=price]')
  if (part) form.querySelector('[data-part=price]').replaceChildren(...document.importNode(part, true).childNodes)
}

// Photos are uploaded one after the other, each with its progress.
function upload(chosen) {
  for (const file of chosen) {
    const row = document.createElement('li')
    const progress = document.createElement('progress')
    progress.value = 0
    progress.setAttribute('aria-label', withValue(texts.uploading, file.name))
    row.append(file.name, progress)
    form.querySelector('[data-uploads]').append(row)
    enqueue(() => send(file, row, progress))
  }
}

async function send(file, row, progress) {
  const body = new FormData()
  body.append('photo', file)
  try {
    const { accepted, fresh } = await post(body, { progress })
    refresh(fresh)
    say(accepted ? withValue(texts.added, file.name) : (fresh.querySelector('[data-part=photos] .fault') ?? fresh.querySelector('.refused'))?.textContent ?? '')
    row.remove()
  } catch {
    row.replaceChildren(`${withValue(texts.failed, file.name)} `, retryButton(file, row))
  }
}

function retryButton(file, row) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = texts.again
  button.addEventListener('click', () => {
    row.remove()
    upload([file])
  })
  return button
}

files?.addEventListener('change', () => {
  upload(files.files)
  files.value = ''
})

// change posts a change of the photos, and shows them.
async function change(body, said, path) {
  const shelf = form.querySelector('#photographs')
  shelf.setAttribute('aria-busy', 'true')
  try {
    const { fresh } = await post(body, { path })
    refresh(fresh)
    say(said)
  } catch {
    note(texts.offline)
  } finally {
    shelf.removeAttribute('aria-busy')
  }
}

// photoFields returns the photos in their order, with their descriptions.
function photoFields() {
  const body = new URLSearchParams()
  for (const field of form.querySelectorAll('.prints [name]:not(button)')) body.append(field.name, field.value)
  return body
}

form.addEventListener('submit', (event) => {
  if (leaving) return
  event.preventDefault()
  const button = event.submitter
  if (button?.name === 'use_price') {
    form.elements.price.value = button.value
    form.elements.price.focus()
    return changed(true)
  }
  if (button?.name === 'use_postage') {
    form.querySelector('[name=postage][value=rates]').checked = true
    form.querySelector('[name=postage_price]').value = button.value
    return changed(true)
  }
  if (button?.name === 'use_gear' && isDraft) return enqueue(() => save({ use_gear: button.value }))
  if (['earlier', 'later', 'remove'].includes(button?.name)) {
    const body = photoFields()
    body.append(button.name, button.value)
    return enqueue(() => change(body, button.name === 'remove' ? texts.deleted : texts.ordered))
  }
  if (isDraft && (!button || button.matches('.sr-only'))) return enqueue(save)
  // Everything else leaves the page, once what was begun is done: not before the event
  // has ended, which the browser would ignore.
  enqueue(() => setTimeout(() => {
    leaving = true
    clearTimeout(timer)
    form.requestSubmit(button)
  }))
})

addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

// What was typed within the pause is saved as the page is left.
addEventListener('pagehide', () => {
  if (!isDraft || !unsaved || leaving) return
  const body = new FormData(form)
  body.delete('photo')
  fetch(form.action, { method: 'POST', body, keepalive: true, headers: { Accept: 'text/html' } })
})

// Dragging: photos change places as one is moved over another, and the order is kept when
// it is let go. Files that are dropped are uploaded.
let dragged = null

form.addEventListener('dragstart', (event) => {
  dragged = event.target.closest?.('.prints > li[draggable]') ?? null
  if (!dragged) return
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData('text/plain', '')
  dragged.classList.add('dragged')
})

form.addEventListener('dragover', (event) => {
  const shelf = event.target.closest('#photographs')
  if (!shelf) return
  if (!dragged) {
    if (![...event.dataTransfer.types].includes('Files')) return
    event.preventDefault()
    shelf.classList.add('over')
    return
  }
  event.preventDefault()
  const over = event.target.closest('.prints > li')
  if (!over || over === dragged) return
  const later = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING
  over[later ? 'after' : 'before'](dragged)
})

form.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget?.closest?.('#photographs')) form.querySelector('#photographs').classList.remove('over')
})

form.addEventListener('dragend', () => {
  if (!dragged) return
  dragged.classList.remove('dragged')
  dragged = null
  const body = photoFields()
  enqueue(() => change(body, texts.ordered, '/photos/order'))
})

form.addEventListener('drop', (event) => {
  const shelf = event.target.closest('#photographs')
  if (!shelf) return
  event.preventDefault()
  shelf.classList.remove('over')
  if (!dragged) upload(event.dataTransfer.files)
})

// dress marks what can be dragged. A text in a photo is still to be selected.
function dress() {
  for (const item of form.querySelectorAll('.prints > li')) item.draggable = true
  for (const field of form.querySelectorAll('.prints input[type=text]')) {
    field.addEventListener('focus', () => (field.closest('li').draggable = false))
    field.addEventListener('blur', () => (field.closest('li').draggable = true))
  }
}

dress()
if (files?.files.length) files.dispatchEvent(new Event('change')) // chosen before this script ran
