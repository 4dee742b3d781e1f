// What the page of a listing does better with JavaScript: its gallery has buttons and
// arrow keys. Without, photos are swiped, chosen by their thumbnails, and open as pictures.

const gallery = document.querySelector('section.gallery')
if (gallery) enhance(gallery)

// A link to a field in a folded form opens the form, in browsers that do not.
addEventListener('click', (event) => {
  const hash = event.target.closest?.('.buy a[href^="#"]')?.hash
  const fold = hash && document.querySelector(hash)?.closest('details')
  if (fold) fold.open = true
})

// The country that a visitor chose is remembered on this device for all listings.
const total = document.querySelector('.listing-total')
if (total) remember(total)

async function remember(total) {
  try {
    const chosen = new URLSearchParams(location.search).get('ship_to')
    if (chosen) return localStorage.setItem('ship_to', chosen)
    const country = localStorage.getItem('ship_to')
    if (!country) return
    const answer = await fetch(`${location.pathname}?${new URLSearchParams({ ship_to: country })}`, { headers: { Accept: 'text/html' } })
    const page = answer.ok && new DOMParser().parseFromString(await answer.text(), 'text/html')
    total.replaceChildren(...page.querySelector('.listing-total').childNodes)
  } catch {
    // Nothing may be stored, or there is no connection: the form asks for the country.
  }
}

// A listing is shared with what the device has for it, or else its address is copied.
document.querySelector('.listing-share a')?.addEventListener('click', async (event) => {
  const link = event.currentTarget
  const address = { title: document.title, url: location.origin + location.pathname }
  if (!navigator.share && !navigator.clipboard) return
  event.preventDefault()
  if (navigator.share) return navigator.share(address).catch(() => {})
  await navigator.clipboard.writeText(address.url)
  link.textContent = link.dataset.copied
})

function enhance(gallery) {
  const list = gallery.querySelector('.slides')
  const strip = carousel(list, list.parentElement)
  const thumbs = [...gallery.querySelectorAll('.thumbs a')]
  const mark = (index) => thumbs.forEach((thumb, i) => (i === index ? thumb.setAttribute('aria-current', 'true') : thumb.removeAttribute('aria-current')))
  strip.changed = (index) => {
    mark(index)
    const next = list.children[index + 1]?.querySelector('img')
    if (next) next.loading = 'eager'
  }
  addEventListener('load', () => strip.changed(strip.index())) // the next photo after those in sight
  thumbs.forEach((thumb, index) =>
    thumb.addEventListener('click', (event) => {
      event.preventDefault()
      strip.show(index)
    }))
  gallery.addEventListener('keydown', arrows(strip))
}

// carousel adds buttons and a counter to a list that scrolls from slide to slide, and
// returns it with show(index), go(step) and index(). Its owner may set changed(index).
function carousel(list, frame) {
  const count = list.children.length
  const index = () => Math.min(count - 1, Math.round(list.scrollLeft / list.clientWidth))
  let target // of a scroll under way
  let rest
  const strip = {
    index,
    changed() {},
    show(to, behavior) {
      target = Math.max(0, Math.min(count - 1, to))
      list.scrollTo({ left: target * list.clientWidth, behavior })
      settle()
    },
    go: (step) => strip.show((target ?? index()) + step),
  }
  const settle = () => {
    clearTimeout(rest)
    rest = setTimeout(() => (target = undefined), 150)
  }
  if (count < 2) return strip
  const earlier = button('turn-left', gallery.dataset.previous, '‹', () => strip.go(-1))
  const later = button('turn-right', gallery.dataset.next, '›', () => strip.go(1))
  const counter = document.createElement('p')
  counter.className = 'counter'
  frame.append(earlier, later, counter)
  let current = -1
  const update = () => {
    settle()
    if (!list.clientWidth || index() === current) return // not shown, or the same
    current = index()
    counter.textContent = `${current + 1} / ${count}`
    earlier.setAttribute('aria-disabled', current === 0)
    later.setAttribute('aria-disabled', current === count - 1)
    strip.changed(current)
  }
  list.addEventListener('scroll', update, { passive: true })
  update()
  return strip
}

// arrows returns a listener that shows the photo before or after with the arrow keys.
function arrows(strip) {
  return (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    strip.go(step)
  }
}

// button returns a button with a text or picture in it.
function button(className, label, content, act) {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = className
  if (label) made.setAttribute('aria-label', label)
  made.append(content)
  made.addEventListener('click', act)
  return made
}
