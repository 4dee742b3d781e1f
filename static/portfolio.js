// What the page of a photograph does better with JavaScript: keys and swipes turn it over,
// the next one is loaded ahead, and the dark background is remembered.

const stage = document.querySelector('.stage')
const back = stage.querySelector('.back')
const on = stage.querySelector('.on')
const up = document.querySelector('.photo-bar [rel=up]')

addEventListener('keydown', (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.target.closest('select, textarea, input:not([type=checkbox]), [popover], .scroll')) return
  const link = { ArrowLeft: back, ArrowRight: on, Escape: up }[event.key]
  if (!link) return
  event.preventDefault()
  link.click()
})

let start
stage.addEventListener('touchstart', ({ touches }) => {
  start = touches.length === 1 && (visualViewport?.scale ?? 1) < 1.01 ? touches[0] : null
}, { passive: true })
stage.addEventListener('touchend', ({ changedTouches: [end] }) => {
  const [x, y] = start ? [end.clientX - start.clientX, end.clientY - start.clientY] : [0, 0]
  if (Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(y)) (x > 0 ? back : on)?.click()
}, { passive: true })

// The next photograph, once this one has loaded.
const shown = stage.querySelector('.frame img:not(.ground)')
shown.decode().catch(() => {}).then(() => {
  if (!on) return
  Object.assign(new Image(), { sizes: on.dataset.sizes, srcset: on.dataset.srcset })
  document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: on.href }))
})

const root = document.documentElement
const box = document.querySelector('#dark-background')
if (root.dataset.background) box.checked = true
box.addEventListener('change', remember)
remember()

function remember() {
  if (box.checked) root.dataset.background = 'dark'
  else delete root.dataset.background
  try {
    box.checked ? localStorage.setItem('background', 'dark') : localStorage.removeItem('background')
  } catch {
    // The choice lasts for this page.
  }
}

if (navigator.share) {
  const share = document.querySelector('[data-share]')
  share.hidden = false
  share.addEventListener('click', () => navigator.share({ title: document.title, url: location.href }).catch(() => {}))
}
