// What writing a text does better with JavaScript: the preview follows what is typed,
// pictures are uploaded when they are chosen, and leaving with unsaved changes asks first.

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
file.addEventListener('change', upload)

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

// upload stores the chosen picture and shows it where the cursor is.
async function upload() {
  if (!file.files.length) return
  const body = new FormData()
  body.set('picture', file.files[0])
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

upload() // a picture that was chosen before this script ran
