// What writing a text does better with JavaScript: the preview follows what is typed,
// buttons write Markdown, pictures are uploaded when they are chosen, dropped or pasted, and leaving with
// unsaved changes asks first.

const pause = 500 // milliseconds
const form = document.querySelector('#text')
const text = form.querySelector('textarea')
const file = form.querySelector('input[type=file]')
const alt = form.querySelector('[name=alt]')
const status = form.querySelector('[data-status]')

let timer
let latest = 0
let dirty = false

form.addEventListener('input', () => {
  dirty = true
  clearTimeout(timer)
  timer = setTimeout(preview, pause)
})
form.addEventListener('submit', () => (dirty = false))
addEventListener('beforeunload', (event) => dirty && event.preventDefault())
file.addEventListener('change', () => upload(file.files))

// The toolbar writes Markdown around what is selected, or where the cursor is.
const toolbar = form.querySelector('.toolbar')
text.before(toolbar)
toolbar.hidden = false
toolbar.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (!button) return
  'image' in button.dataset ? file.click() : write(button.dataset)
})
text.addEventListener('keydown', (event) => {
  const button = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && toolbar.querySelector(`[data-key="${CSS.escape(event.key)}"]`)
  if (!button) return
  event.preventDefault()
  write(button.dataset)
})

// write puts Markdown before and after the selection, or at the beginning of its lines. Text is
// inserted as if it was typed, so that it can be undone.
function write({ before, after = '', line }) {
  let { selectionStart: start, selectionEnd: end, value } = text
  if (line !== undefined) start = value.lastIndexOf('\n', start - 1) + 1
  const chosen = value.slice(start, end)
  const written = line === undefined ? before + chosen + after : chosen.replace(/^/gm, before)
  text.focus()
  text.setSelectionRange(start, end)
  if (!document.execCommand('insertText', false, written)) text.setRangeText(written, start, end, 'end')
  if (line === undefined) text.setSelectionRange(start + before.length, start + before.length + chosen.length)
  form.dispatchEvent(new Event('input'))
}

const pictures = (data) => [...(data?.files ?? [])].filter((chosen) => chosen.type.startsWith('image/'))
text.addEventListener('dragover', (event) => event.dataTransfer.types.includes('Files') && event.preventDefault())
for (const [name, data] of [['drop', 'dataTransfer'], ['paste', 'clipboardData']]) {
  text.addEventListener(name, (event) => {
    const found = pictures(event[data])
    if (!found.length) return
    event.preventDefault()
    upload(found)
  })
}

// preview replaces the preview and the warnings by those of what is typed, unless another
// request was sent since.
async function preview() {
  const request = ++latest
  const body = new FormData(form)
  body.delete('picture')
  const answer = await fetch(form.dataset.preview, { method: 'POST', body, headers: { Accept: 'text/html' } }).catch(() => null)
  if (!answer?.ok || request !== latest) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const id of ['preview', 'warnings']) {
    const fresh = page.getElementById(id)
    if (fresh) document.getElementById(id).replaceChildren(...fresh.childNodes)
  }
}

// upload stores pictures, one after the other, and shows them where the cursor is.
async function upload(chosen) {
  for (const picture of [...chosen]) await uploadOne(picture)
}

async function uploadOne(picture) {
  const body = new FormData()
  body.set('picture', picture)
  body.set('alt', alt.value)
  status.textContent = '…'
  const answer = await fetch(form.dataset.pictures, { method: 'POST', body, headers: { Accept: 'application/json' } }).catch(() => null)
  const said = await answer?.json().catch(() => null)
  if (!answer?.ok || !said) {
    status.textContent = said?.errors?.[0]?.message ?? form.dataset.failed
    return
  }
  status.textContent = ''
  file.value = alt.value = ''
  const start = text.selectionEnd
  text.setRangeText('\n\n' + said.markdown + '\n\n', start, start, 'end')
  text.focus()
  if (!said.alt) text.setSelectionRange(start + 4, start + 4)
  form.dispatchEvent(new Event('input'))
}

upload(file.files) // a picture that was chosen before this script ran
