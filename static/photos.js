// What the photographs of a listing do a little better with JavaScript: they are
// dragged into order, dropped to be added, and nothing else on the page that was
// typed is lost on the way. Every form here works without, and every move has its
// buttons for the keyboard. say is that of site.js, which every page has run before.

const shelf = () => document.querySelector('[data-shelf]')
let line = Promise.resolve()

// send posts a form of the shelf and shows the shelf that comes of it, one after
// the other.
function send(...what) {
  line = line.then(() => post(...what))
}

async function post(form, body, action, said) {
  shelf().setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(action, { method: 'POST', body, headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const fresh = page.querySelector('[data-shelf]')
    if (!fresh) throw new Error(answer.statusText)
    const focused = document.activeElement
    const again = focused?.closest('[data-shelf]') && { name: focused.name, value: focused.value, id: focused.id }
    const chosen = shelf().querySelector('input[type=file]')
    shelf().replaceChildren(...document.importNode(fresh, true).childNodes)
    // Files that were chosen and not sent yet stay so.
    if (chosen?.files.length && !form.matches('.drop')) shelf().querySelector('input[type=file]')?.replaceWith(chosen)
    // A listing that has changed has another version, which its own form must name.
    const version = page.querySelector('input[name="if_match"]')
    for (const field of document.querySelectorAll('input[name="if_match"]')) if (version && answer.ok) field.value = version.value
    dress()
    refocus(again)
    const refused = shelf().querySelector('.refused')
    if (refused) refused.focus()
    say(refused ? refused.textContent.trim() : said)
  } catch {
    // What cannot be done here is done by the browser itself.
    form.dataset.plain = 'true'
    form.requestSubmit()
  } finally {
    shelf()?.removeAttribute('aria-busy')
  }
}

// refocus finds the control again that was used, or one beside it.
function refocus(again) {
  if (!again) return
  const same = [...shelf().querySelectorAll('button, input:not([type=hidden])')].filter((e) => (again.id ? e.id === again.id : e.name === again.name && e.value === again.value))
  const other = same[0]?.disabled && same[0].closest('.acts')?.querySelector('button:not([disabled])')
  ;(other || same[0] || shelf().querySelector('h2'))?.focus()
}

addEventListener('submit', (event) => {
  const form = event.target
  if (!form.closest('[data-shelf]') || 'plain' in form.dataset) return
  event.preventDefault()
  const button = event.submitter
  const action = button?.getAttribute('formaction') || form.getAttribute('action')
  const body = new FormData(form)
  if (button?.name) body.append(button.name, button.value)
  if (form.matches('.drop')) return send(form, body, action, 'The photographs are added.')
  send(form, new URLSearchParams(body), action, 'The photographs are in order.')
})

// Dragging: the photographs change places as one is moved over another, and the
// order is kept when it is let go.
let dragged = null

addEventListener('dragstart', (event) => {
  dragged = event.target.closest?.('.prints > li[draggable]') ?? null
  if (!dragged) return
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData('text/plain', '')
  dragged.classList.add('dragged')
})

addEventListener('dragover', (event) => {
  const drop = event.target.closest?.('[data-shelf]')
  if (!drop) return
  if (!dragged) {
    if (![...event.dataTransfer.types].includes('Files')) return
    event.preventDefault()
    drop.classList.add('over')
    return
  }
  event.preventDefault()
  const over = event.target.closest('.prints > li')
  if (!over || over === dragged) return
  const later = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING
  over[later ? 'after' : 'before'](dragged)
})

addEventListener('dragleave', (event) => {
  if (!event.relatedTarget?.closest?.('[data-shelf]')) shelf()?.classList.remove('over')
})

addEventListener('dragend', () => {
  if (!dragged) return
  const form = dragged.closest('form')
  dragged.classList.remove('dragged')
  dragged = null
  send(form, new URLSearchParams(new FormData(form)), form.getAttribute('action'), 'The photographs are in order.')
})

addEventListener('drop', (event) => {
  const drop = event.target.closest?.('[data-shelf]')
  if (!drop) return
  event.preventDefault()
  drop.classList.remove('over')
  const form = drop.querySelector('.drop')
  const files = [...event.dataTransfer.files]
  if (dragged || !form || !files.length) return
  const body = new FormData()
  for (const file of files) body.append('photo', file)
  send(form, body, form.getAttribute('action'), 'The photographs are added.')
})

// dress marks what can be dragged. A text in a photograph is still to be selected.
function dress() {
  for (const item of document.querySelectorAll('.prints > li')) item.draggable = true
  for (const field of document.querySelectorAll('.prints input[type=text]')) {
    field.addEventListener('focus', () => (field.closest('li').draggable = false))
    field.addEventListener('blur', () => (field.closest('li').draggable = true))
  }
}

dress()
