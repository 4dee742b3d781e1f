// What a client gallery does better with JavaScript: a heart is stored when it is clicked, here or
// in the viewer, and the selection follows.

const form = document.querySelector('#favourites')
const status = form.querySelector('[data-status]')
const later = 600 // milliseconds after the last heart until the selection follows
let queue = Promise.resolve()
let timer

addEventListener('change', ({ target }) => target.matches('.heart input') && store(target.value, target.checked))
addEventListener('favourite', ({ detail: { value, checked } }) => store(value, checked))

// store sends a choice after those before it, and takes it back if it can't be stored.
function store(value, checked) {
  show(value, checked)
  const body = new URLSearchParams({ shown: value })
  if (checked) body.set('favourite', value)
  queue = queue.then(async () => {
    const answer = await fetch(form.getAttribute('action'), { method: 'POST', body, headers: { Accept: 'application/json' } }).catch(() => null)
    status.textContent = answer?.ok ? form.dataset.saved : form.dataset.failed
    if (!answer?.ok) show(value, !checked)
    clearTimeout(timer)
    timer = setTimeout(follow, later)
  })
}

// show shows a choice on the page, and tells the viewer.
function show(value, checked) {
  for (const box of document.querySelectorAll('.heart input[type=checkbox]')) if (box.value === value) box.checked = checked
  dispatchEvent(new CustomEvent('favoured', { detail: { value, checked } }))
}

// follow shows the selection as it is stored.
async function follow() {
  const answer = await fetch(form.dataset.page, { headers: { Accept: 'text/html' } }).catch(() => null)
  if (!answer?.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.querySelector('#selection')
  if (fresh) document.querySelector('#selection').replaceChildren(...fresh.childNodes)
}
