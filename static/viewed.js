// The listings that were last viewed, which only this device knows.

const viewedKept = 12
const viewedShown = 6

const listingPath = location.pathname.match(/^\/listings\/[0-9a-f-]{36}$/)?.[0]
if (listingPath) remember(listingPath)
showViewed()
addEventListener('results', showViewed)

// remember puts the listing of this page before the others.
function remember(path) {
  const title = document.querySelector('main h1')?.textContent.trim()
  const photo = document.querySelector('main img')?.getAttribute('src')
  if (title) keep('viewed', [{ path, title, photo }, ...viewed().filter((other) => other.path !== path)].slice(0, viewedKept))
}

function viewed() {
  return kept('viewed').filter((card) => /^\/listings\/[0-9a-f-]{36}$/.test(card?.path))
}

// showViewed fills the section of a page that has one. The offline page shows only
// listings that are stored.
async function showViewed() {
  const section = document.querySelector('#viewed')
  if (!section) return
  const cards = (section.closest('.stored') ? await stored(viewed()) : viewed()).slice(0, viewedShown)
  if (!cards.length) return
  section.querySelector('ul').replaceChildren(...cards.map(cardOf))
  section.querySelector('button').onclick = () => {
    keep('viewed', [])
    section.hidden = true
    document.querySelector('main').focus({ preventScroll: true })
    say(texts.unviewed)
  }
  section.hidden = false
}

async function stored(cards) {
  const pages = await Promise.all(cards.map(({ path }) => caches.match(path, { ignoreVary: true })))
  return cards.filter((_, i) => pages[i])
}

function cardOf({ path, title, photo }) {
  const card = make('li', { className: 'card' })
  const heading = make('h3', {})
  heading.append(make('a', { href: path, textContent: title }))
  const picture = photo?.startsWith('/photos/') ? make('img', { src: photo, alt: '', loading: 'lazy', width: 640, height: 480 }) : make('div', { className: 'blank', textContent: texts.blank })
  const box = make('input', { type: 'checkbox', name: 'listing', value: path.split('/').pop() })
  box.setAttribute('form', 'compare')
  const label = make('label', { className: 'pick' })
  label.append(box, ` ${texts.compare}`, make('span', { className: 'sr-only', textContent: ` ${title}` }))
  card.append(picture, heading, label)
  return card
}
