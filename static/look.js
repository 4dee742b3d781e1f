// What the look of the site does better with JavaScript: colours are picked and their contrast is
// checked, rows are dragged, and the preview shows what would change.

const form = document.querySelector('#look')
const preview = document.querySelector('.site-preview')
const stage = preview.querySelector('.stage')
const pressed = (name) => preview.querySelector(`[data-${name}][aria-pressed=true]`).dataset[name]
const theme = () => form.querySelector('[name=theme]:checked')

// Colours, as models/color.go computes them.
const parse = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
const mix = (a, b, share) => a.map((v, i) => Math.round(v * (1 - share) + b[i] * share))
const hex = (color) => '#' + color.map((v) => v.toString(16).padStart(2, '0')).join('')
const linear = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
const ratio = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}
const least = 4.5

for (const field of form.querySelectorAll('.accent')) {
  const text = field.querySelector('.hex')
  const picker = field.querySelector('input[type=color]')
  const said = field.querySelector('.contrast')
  const nearest = field.querySelector('.nearest')
  const mode = 'dark' in field.dataset ? 'dark' : 'light'
  const grounds = () => [theme().dataset[mode + 'Text'], ...theme().dataset[mode + 'Grounds'].split(' ')].map(parse)
  const contrast = (color) => Math.min(...grounds().map((ground) => ratio(color, ground)))
  const toward = mode === 'dark' ? [255, 255, 255] : [0, 0, 0]

  const check = () => {
    const valid = /^#[0-9a-f]{6}$/i.test(text.value)
    nearest.hidden = true
    said.hidden = false
    said.textContent = field.dataset.default
    said.classList.remove('fault')
    if (valid) {
      picker.value = text.value.toLowerCase()
      const found = contrast(parse(text.value))
      const good = found >= least
      said.textContent = (good ? field.dataset.good : field.dataset.bad).replace('%', (Math.floor(found * 10) / 10).toLocaleString(document.documentElement.lang))
      said.classList.toggle('fault', !good)
      nearest.hidden = good
    }
    for (const swatch of field.querySelectorAll('[data-color]')) swatch.setAttribute('aria-pressed', swatch.dataset.color === text.value.toLowerCase())
    paint()
  }
  const choose = (color) => {
    text.value = color
    check()
  }
  field.querySelector('.swatches').hidden = false
  text.classList.add('sr-only')
  text.tabIndex = -1
  field.addEventListener('click', (event) => {
    const swatch = event.target.closest('[data-color]')
    if (swatch) choose(swatch.dataset.color)
  })
  picker.addEventListener('input', () => choose(picker.value))
  nearest.addEventListener('click', () => {
    for (let share = 0; share <= 1; share += 0.01) {
      const color = mix(parse(text.value), toward, share)
      if (contrast(color) >= least) return choose(hex(color))
    }
  })
  form.addEventListener('change', (event) => event.target.name === 'theme' && check())
  addEventListener('DOMContentLoaded', check)
}

// Rows are moved by dragging or by their buttons; their places follow.
for (const list of form.querySelectorAll('.sortable ol')) {
  let dragged
  const number = () => list.querySelectorAll('.place input').forEach((input, i) => (input.value = i + 1))
  for (const row of list.children) {
    row.draggable = true
    row.querySelector('.moves').hidden = false
    row.querySelector('.place').hidden = true
    const target = row.querySelector('select[name$=_target]')
    const address = row.querySelector('.address')
    const fit = () => address && (address.hidden = target.value !== 'other')
    target?.addEventListener('change', fit)
    fit()
  }
  // Text fields stay selectable: a drag begins beside them.
  list.addEventListener('pointerdown', (event) => {
    const row = event.target.closest('li')
    if (row) row.draggable = !event.target.closest('input, select')
  })
  list.addEventListener('dragstart', (event) => {
    dragged = event.target.closest('li')
    event.dataTransfer.effectAllowed = 'move'
  })
  list.addEventListener('dragover', (event) => {
    const over = event.target.closest('li')
    if (!dragged || !over || over.parentNode !== list) return
    event.preventDefault()
    const box = over.getBoundingClientRect()
    list.insertBefore(dragged, event.clientY < box.top + box.height / 2 ? over : over.nextSibling)
  })
  list.addEventListener('dragend', () => {
    dragged = undefined
    number()
  })
  list.addEventListener('click', (event) => {
    const button = event.target.closest('[data-move]')
    if (!button) return
    const row = button.closest('li')
    const other = button.dataset.move < 0 ? row.previousElementSibling : row.nextElementSibling
    if (!other) return
    button.dataset.move < 0 ? other.before(row) : other.after(row)
    number()
    button.focus()
  })
}

// The preview is the home page as it would be, without scripts. It is drawn at the width of the
// device and scaled to fit.
const frame = document.createElement('iframe')
frame.setAttribute('sandbox', 'allow-same-origin')
frame.title = preview.querySelector('[role=group]').getAttribute('aria-label')
frame.inert = true
let shown

async function show() {
  const request = (shown = {})
  const address = new URL(form.dataset.preview, location)
  address.searchParams.set('theme', theme().value)
  address.searchParams.set('light', pressed('light'))
  const answer = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null)
  if (!answer?.ok || request !== shown) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  page.querySelectorAll('script, .preview-bar, .checklist, .rail, .show-rail, .crumbs').forEach((part) => part.remove())
  frame.srcdoc = '<!doctype html>' + page.documentElement.outerHTML
}

// paint shows the chosen colour and typefaces in the preview.
function paint() {
  const root = frame.contentDocument?.documentElement
  if (!root) return
  const accent = form.querySelector('[name=accent]').value
  const dark = form.querySelector('[name=accent_dark]').value
  const color = pressed('light') === 'dark' ? dark : accent
  color ? root.style.setProperty('--safelight', color) : root.style.removeProperty('--safelight')
  const fonts = form.querySelector('[name=fonts]:checked')?.value
  fonts === 'editorial' ? root.style.removeProperty('--serif') : root.style.setProperty('--serif', fonts === 'sans' ? 'var(--sans)' : 'system-ui, sans-serif')
  fonts === 'system' ? root.style.setProperty('--sans', 'system-ui, sans-serif') : root.style.removeProperty('--sans')
}

function fit() {
  const width = Number(pressed('width'))
  const scale = Math.min(1, stage.clientWidth / width)
  frame.style.width = `${width}px`
  frame.style.height = `${stage.clientHeight / scale}px`
  frame.style.transform = `scale(${scale})`
}

preview.hidden = false
stage.append(frame)
frame.addEventListener('load', paint)
preview.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (!button) return
  const name = 'width' in button.dataset ? 'width' : 'light'
  preview.querySelectorAll(`[data-${name}]`).forEach((other) => other.setAttribute('aria-pressed', other === button))
  name === 'width' ? fit() : show()
})
form.addEventListener('change', (event) => (event.target.name === 'theme' ? show() : paint()))
new ResizeObserver(fit).observe(stage)
fit()
show()

// A picture that is dropped on its form is chosen.
for (const drop of document.querySelectorAll('form.drop')) {
  const file = drop.querySelector('input[type=file]')
  drop.addEventListener('dragover', (event) => {
    event.preventDefault()
    drop.classList.add('over')
  })
  for (const name of ['dragleave', 'drop']) drop.addEventListener(name, () => drop.classList.remove('over'))
  drop.addEventListener('drop', (event) => {
    event.preventDefault()
    if (!event.dataTransfer.files.length) return
    file.files = event.dataTransfer.files
    drop.requestSubmit()
  })
}
