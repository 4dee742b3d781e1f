// What adding photographs to a project does better with JavaScript: each file is sent in
// parts with its progress, and goes on where it stopped after a break or on another day.

const part = 1 << 20 // bytes
const retry = 3000 // milliseconds
const form = document.querySelector('#uploads')
const list = form.querySelector('[data-uploads]')
const field = form.querySelector('input[type=file]')
form.querySelector('button').hidden = true

let queue = Promise.resolve()
let added = 0

field.addEventListener('change', () => add([...field.files]))
form.addEventListener('dragover', (event) => event.preventDefault())
form.addEventListener('drop', (event) => {
  event.preventDefault()
  add([...event.dataTransfer.files])
})

function add(files) {
  for (const file of files) {
    const row = document.createElement('li')
    const progress = document.createElement('progress')
    const note = document.createElement('span')
    progress.value = 0
    progress.setAttribute('aria-label', file.name)
    row.append(file.name, progress, note)
    list.append(row)
    queue = queue.then(() => send(file, progress, note))
  }
  queue = queue.then(() => added && list.children.length === document.querySelectorAll('[data-state]').length && !document.querySelector('[data-state=refused]') && location.reload())
}

// send sends a file in parts. received is how much of it the server has.
async function send(file, progress, note) {
  let received
  while (received !== file.size) {
    try {
      const body = new FormData()
      body.set('name', file.name)
      body.set('size', file.size)
      body.set('offset', received ?? 0)
      if (received !== undefined) body.set('photo', file.slice(received, received + part), file.name)
      const answer = await fetch(form.dataset.api, { method: 'POST', body, headers: { Accept: 'application/json' } })
      const said = await answer.json()
      if (answer.status === 429 || answer.status >= 500) throw new Error(said.message)
      if (!answer.ok) {
        note.textContent = said.errors?.[0]?.message ?? said.message
        note.className = 'fault'
        note.dataset.state = 'refused'
        return
      }
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
  note.dataset.state = 'added'
  added++
}
