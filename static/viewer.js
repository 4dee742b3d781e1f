// The viewer: photographs over the whole window, on every page that marks them with
// data-view, the address of each. Without this script they are links to their pages.
// ← → turn, Space runs a slideshow, i shows information, z zooms, b changes the surround,
// f takes the whole screen, Esc closes; so do swipes, pinches, taps and buttons. In a client
// gallery h makes a photograph a favourite: see gallery.js.

const texts = document.querySelector('script[data-surround]').dataset
const hearts = document.querySelector('#favourites')
const surrounds = ['black', 'grey', 'white']
const shownFor = 5000 // milliseconds of each photograph in a slideshow
const restAfter = 2000 // milliseconds without input until the controls hide
const wake = ['pointermove', 'pointerdown', 'keydown', 'focusin']
const still = matchMedia('(prefers-reduced-motion: reduce)')

const pictures = picturesOf(document)
let more = moreOf(document) // where further photographs are: a function that loads them, or undefined
let view // made when it is first opened
let opened // the element with the photograph that was opened

// picturesOf describes the photographs of a page, each once.
function picturesOf(page) {
  const byAddress = new Map()
  for (const element of page.querySelectorAll('[data-view]')) if (!byAddress.has(element.dataset.view)) byAddress.set(element.dataset.view, pictureOf(element))
  return [...byAddress.values()]
}

// pictureOf describes the photograph in an element with data-view.
function pictureOf(element) {
  const image = element.querySelector('img:not(.ground)')
  return {
    element, image, address: element.dataset.view,
    about: (element.closest('figure') ?? element).querySelector('.about'),
    heart: element.querySelector('.heart input[type=checkbox]'),
    ground: element.querySelector('.ground')?.src,
    ratio: image.getAttribute('width') / image.getAttribute('height'),
    largest: Math.max(...[...image.srcset.matchAll(/ (\d+)w/g)].map(([, width]) => Number(width)), Number(image.getAttribute('width'))),
  }
}

// moreOf returns a function that adds the photographs that follow those of a page: on the
// page of one, all of its project.
function moreOf(page) {
  const link = page.querySelector('.stage') ? page.querySelector('.photo-bar [rel=up]') : page.querySelector('.pager [rel=next]')
  if (!link || !page.querySelector('[data-view]')) return undefined
  const all = page.querySelector('.stage')
  const address = new URL(link.getAttribute('href'), location.href)
  if (all) address.searchParams.set('limit', '100')
  return async () => {
    const answer = await fetch(address, { headers: { Accept: 'text/html' } })
    if (!answer.ok) return
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const found = picturesOf(next)
    if (all) pictures.splice(0, pictures.length, ...found)
    else pictures.push(...found.filter(({ address }) => !pictures.some((known) => known.address === address)))
    more = moreOf(next)
  }
}

// The first photograph is loaded in the size of the window as soon as somebody is about to
// open it.
const warm = ({ target }) => {
  const picture = pictures.find(({ element }) => element.contains(target))
  if (picture && !picture.warm) picture.warm = imageOf(picture)
}
for (const type of ['pointerover', 'pointerdown', 'focusin']) addEventListener(type, warm, { passive: true })

addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (event.target.closest('[data-view-open]')) return open(document.querySelector('[data-view]'))
  const element = event.target.closest('[data-view]')
  const link = event.target.closest('a')
  if (!element || (link ? link.matches('.photo-turn') || link !== element.querySelector('a') : !event.target.closest('.frame'))) return
  event.preventDefault()
  open(element)
})

addEventListener('keydown', (event) => {
  if (event.key !== 'f' || view?.dialog.open || event.metaKey || event.ctrlKey || event.altKey || event.target.closest('input, select, textarea, [contenteditable]')) return
  const elements = [...document.querySelectorAll('[data-view]')]
  const inWindow = (element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  }
  event.preventDefault()
  open(document.querySelector('[data-view]:focus-within') ?? document.querySelector('[data-view]:hover') ?? elements.find(inWindow) ?? elements[0])
})

// A page that is loaded at the address of a photograph, as by Back, has no viewer open.
if (history.state?.view >= 0) history.replaceState(null, '')

addEventListener('popstate', ({ state }) => {
  if (state?.view >= 0 && pictures[state.view]) show(state.view)
  else {
    view?.dialog.close()
    history.scrollRestoration = 'auto'
  }
})

function open(element) {
  const index = pictures.findIndex(({ address }) => address === element?.dataset.view)
  if (index < 0) return
  opened = element
  history.scrollRestoration = 'manual' // the page stays where it is
  history.pushState({ view: index }, '', pictures[index].address)
  show(index)
}

function show(index) {
  view ??= newView()
  view.open(index)
}

// imageOf returns an image element of a photograph in the size of the window.
function imageOf({ image, ratio, largest }, sizes = `${Math.ceil(Math.min(innerWidth, innerHeight * ratio))}px`) {
  const made = new Image()
  made.alt = image.alt
  if (image.srcset) Object.assign(made, { sizes, srcset: image.srcset })
  else made.src = image.src
  made.draggable = false
  made.dataset.largest = largest
  return made
}

// make returns an element with a class and what is in it.
function make(tag, className, ...content) {
  const made = document.createElement(tag)
  made.className = className
  made.append(...content)
  return made
}

// control returns a button with a drawing in it.
function control(className, label, drawing, act) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', drawing)
  svg.append(path)
  const button = make('button', className, svg)
  button.type = 'button'
  button.title = label
  button.setAttribute('aria-label', label)
  button.addEventListener('click', act)
  return button
}

// kept reads or stores a choice on this device.
function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name)
    localStorage.setItem(name, value)
  } catch {
    // The choice lasts for this page.
  }
}

// newView makes the dialog and returns it with open(index).
function newView() {
  const dialog = make('dialog', 'viewer')
  const strip = make('div', 'viewer-strip')
  const count = make('p', 'viewer-count')
  const about = make('div', 'viewer-about')
  const told = make('p', 'sr-only')
  const stage = make('div', 'viewer-stage', strip)
  const slots = new Map() // by the index of their photograph: the shown one and its neighbours
  let index = 0
  let zoom = { scale: 1, x: 0, y: 0 }
  let slides // timer of the slideshow
  let rest // timer of the controls

  const play = control('', texts.slideshow, 'M8 5l11 7-11 7z', toggleSlides)
  const info = control('', texts.info, 'M11 10h2v8h-2zM11 6h2v2h-2zM12 2a10 10 0 1 0 .01 0zm0 2a8 8 0 1 1-.01 0z', () => toggleInfo())
  const larger = control('', texts.zoom, 'M10 3a7 7 0 1 0 4.2 12.6L20 21.4 21.4 20l-5.8-5.8A7 7 0 0 0 10 3zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM9 7h2v2h2v2h-2v2H9v-2H7V9h2z', () => toggleZoom())
  const around = control('', texts.surround, 'M12 2a10 10 0 1 0 .01 0zm0 2v16a8 8 0 0 0 0-16z', nextSurround)
  const full = control('', texts.full, 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z', toggleFull)
  const close = control('close', texts.close, 'M5 6.4 6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6 10.6 12z', leave)
  const back = control('turn-left', texts.previous, 'M15.4 4 17 5.6 10.6 12l6.4 6.4-1.6 1.6-8-8z', () => turn(-1))
  const on = control('turn-right', texts.next, 'M8.6 4 7 5.6l6.4 6.4L7 18.4 8.6 20l8-8z', () => turn(1))
  const heart = control('', hearts?.dataset.favourite ?? '', 'M12 20.5 4 12.4a5 5 0 0 1 7-7.1l1 1 1-1a5 5 0 0 1 7 7.1z', toggleHeart)
  if (!document.fullscreenEnabled) full.hidden = true
  stage.append(make('div', 'viewer-bar', count, heart, play, larger, info, around, full, close), back, on, about, told)
  stage.tabIndex = -1
  told.setAttribute('role', 'status')
  dialog.setAttribute('aria-label', texts.large)
  dialog.append(stage)
  document.body.append(dialog)
  stage.dataset.surround = surrounds.includes(kept('surround')) ? kept('surround') : surrounds[0]
  toggleInfo(kept('viewer-info') !== 'off')

  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    leave()
  })
  dialog.addEventListener('close', closed)
  dialog.addEventListener('keydown', key)
  dialog.addEventListener('click', (event) => event.stopPropagation())
  for (const type of wake) dialog.addEventListener(type, stir, { passive: true })
  addEventListener('resize', () => dialog.open && place())
  addEventListener('favoured', ({ detail }) => {
    for (const { heart } of pictures) if (heart?.value === detail.value) heart.checked = detail.checked
    showHeart()
  })
  strip.addEventListener('wheel', wheel, { passive: false })
  strip.addEventListener('pointerdown', gestures())

  return { dialog, open }

  function open(at) {
    if (!dialog.open) {
      // The page keeps its width, and its place, without its scroll bar.
      document.documentElement.style.paddingRight = `${innerWidth - document.documentElement.clientWidth}px`
      document.documentElement.style.overflow = 'hidden'
      dialog.showModal()
      stage.focus({ preventScroll: true })
    }
    go(at, true)
    stir()
  }

  // follow loads the photographs after those of the page, or around the one of the page.
  async function follow() {
    const { address } = pictures[index]
    let at = -1
    while (more && at < 0) {
      const load = more
      more = undefined
      try {
        await load()
      } catch {
        more = load // for another attempt
        return
      }
      at = pictures.findIndex((picture) => picture.address === address)
    }
    if (at < 0) return
    if (at !== index) {
      for (const slot of slots.values()) slot.remove()
      slots.clear()
      index = at
      if (history.state?.view >= 0) history.replaceState({ view: at }, '')
    }
    if (dialog.open) go(at, true)
  }

  function turn(by) {
    const at = index + by
    if (at < 0 || at >= pictures.length) return false
    history.replaceState({ view: at }, '', pictures[at].address)
    go(at, still.matches)
    return true
  }

  // go shows the photograph at an index, at once or by sliding, and loads its neighbours.
  function go(at, jump) {
    setZoom()
    index = at
    for (let i = at - 1; i <= at + 1; i++) {
      if (pictures[i] && !slots.has(i)) slots.set(i, newSlot(pictures[i], i))
    }
    strip.classList.toggle('jump', jump)
    place()
    for (const [i, slot] of slots) {
      slot.setAttribute('aria-hidden', i !== at)
      if (Math.abs(i - at) < 2) continue
      slot.remove()
      slots.delete(i)
    }
    back.hidden = at === 0
    on.hidden = at === pictures.length - 1
    count.textContent = `${at + 1} / ${pictures.length}`
    about.replaceChildren(...[...(pictures[at].about?.children ?? [])].map((part) => {
      const copy = part.cloneNode(true)
      copy.hidden = false
      return copy
    }))
    about.hidden = about.childElementCount === 0
    showHeart()
    told.textContent = `${at + 1} / ${pictures.length}: ${pictures[at].image.alt}`
    if (slides) schedule()
    if (at >= pictures.length - 3) follow()
  }

  function newSlot(picture, at) {
    const image = picture.warm ?? imageOf(picture)
    delete picture.warm
    const under = picture.image.currentSrc || picture.ground
    const inner = make('div', 'viewer-picture', image)
    if (under) inner.prepend(Object.assign(new Image(), { src: under, alt: '', draggable: false }))
    const slot = make('div', 'viewer-slot', inner)
    slot.style.left = `${at * 100}%`
    strip.append(slot)
    return slot
  }

  // place moves the strip to the photograph that is shown, and by pixels of a drag.
  function place(by = 0) {
    strip.style.transform = `translateX(calc(${-index * 100}% + ${by}px))`
  }

  // Zoom

  function size() {
    const { ratio } = pictures[index]
    const width = Math.min(stage.clientWidth, stage.clientHeight * ratio)
    return { width, height: width / ratio }
  }

  // setZoom shows a photograph at a scale; without one, in the window. x and y are where its
  // center is, in pixels from that of the window.
  function setZoom(scale = 1, x = 0, y = 0) {
    const inner = slots.get(index)?.firstElementChild
    if (!inner) return
    const { width, height } = size()
    const far = (length, window) => Math.max(0, (length * scale - window) / 2)
    const limit = (at, most) => Math.min(most, Math.max(-most, at))
    zoom = scale > 1.001 ? { scale, x: limit(x, far(width, stage.clientWidth)), y: limit(y, far(height, stage.clientHeight)) } : { scale: 1, x: 0, y: 0 }
    inner.style.transform = `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`
    stage.classList.toggle('zoomed', zoom.scale > 1)
    larger.setAttribute('aria-pressed', zoom.scale > 1)
    const image = inner.lastElementChild
    if (zoom.scale > 1 && image.srcset) image.sizes = `${image.dataset.largest}px`
  }

  // zoomAt zooms to a scale and keeps the point of the window where it is.
  function zoomAt(scale, clientX, clientY) {
    const [x, y] = [clientX - stage.clientWidth / 2, clientY - stage.clientHeight / 2]
    const by = scale / zoom.scale
    setZoom(scale, x - (x - zoom.x) * by, y - (y - zoom.y) * by)
  }

  // actual returns the scale at which a pixel of the photograph is one of the screen, or 2 if
  // the window shows as much already.
  function actual() {
    const scale = pictures[index].largest / devicePixelRatio / size().width
    return scale > 1.1 ? scale : 2
  }

  function toggleZoom(x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
    if (zoom.scale > 1) setZoom()
    else zoomAt(actual(), x, y)
  }

  function wheel(event) {
    event.preventDefault()
    if (event.ctrlKey) zoomAt(Math.min(4 * actual(), Math.max(1, zoom.scale * Math.exp(-event.deltaY / 100))), event.clientX, event.clientY)
    else if (zoom.scale > 1) setZoom(zoom.scale, zoom.x - event.deltaX, zoom.y - event.deltaY)
  }

  // gestures returns a listener for pointers that go down: one turns, moves or closes, two
  // zoom, and a tap shows or hides the controls.
  function gestures() {
    const points = new Map()
    let start
    let lastTap = 0
    const begin = () => {
      const [a, b] = points.values()
      start = { x: a.x, y: a.y, zoom, two: b && Math.hypot(a.x - b.x, a.y - b.y), moved: start?.moved ?? false, time: performance.now() }
      if (b) start.moved = true
    }
    const move = (event) => {
      if (!points.has(event.pointerId)) return
      points.set(event.pointerId, { x: event.clientX, y: event.clientY })
      const [a, b] = points.values()
      const [x, y] = [a.x - start.x, a.y - start.y]
      if (Math.hypot(x, y) > 8) start.moved = true
      if (b) {
        setZoom(start.zoom.scale, start.zoom.x, start.zoom.y)
        zoomAt(Math.min(4 * actual(), start.zoom.scale * Math.hypot(a.x - b.x, a.y - b.y) / start.two), (a.x + b.x) / 2, (a.y + b.y) / 2)
      } else if (start.zoom.scale > 1) {
        setZoom(start.zoom.scale, start.zoom.x + x, start.zoom.y + y)
      } else if (start.moved && Math.abs(x) > Math.abs(y)) {
        strip.classList.add('jump')
        place(x)
      }
    }
    const end = (event) => {
      const at = points.get(event.pointerId)
      if (!points.delete(event.pointerId)) return
      if (points.size > 0) return begin()
      for (const [type, act] of [['pointermove', move], ['pointerup', end], ['pointercancel', end]]) strip.removeEventListener(type, act)
      const { moved, x, y, zoom: before, two } = start
      start = undefined
      strip.classList.remove('jump')
      if (event.type === 'pointercancel' || moved) {
        const [right, down] = [at.x - x, at.y - y]
        if (event.type === 'pointercancel' || two || before.scale > 1 || zoom.scale > 1) return place()
        if (Math.abs(right) > 50 && Math.abs(right) > 2 * Math.abs(down) && turn(right > 0 ? -1 : 1)) return
        if (down > 100 && down > 2 * Math.abs(right)) return leave()
        return place()
      }
      const twice = event.timeStamp - lastTap < 350
      lastTap = twice ? 0 : event.timeStamp
      if (event.pointerType === 'mouse') return twice || toggleZoom(at.x, at.y)
      if (twice) toggleZoom(at.x, at.y)
      else if (stage.classList.contains('seen')) hide()
      else stir()
    }
    return (event) => {
      if (event.button) return
      stage.classList.toggle('seen', !stage.classList.contains('idle') && event.pointerType !== 'mouse')
      strip.setPointerCapture(event.pointerId)
      points.set(event.pointerId, { x: event.clientX, y: event.clientY })
      begin()
      for (const [type, act] of [['pointermove', move], ['pointerup', end], ['pointercancel', end]]) strip.addEventListener(type, act)
    }
  }

  // Controls

  function stir(event) {
    if (event?.type === 'pointerdown' && event.target.closest('.viewer-strip')) return
    stage.classList.remove('idle')
    clearTimeout(rest)
    rest = setTimeout(hide, restAfter)
  }

  function hide() {
    clearTimeout(rest)
    stage.classList.add('idle')
  }

  function toggleInfo(on = info.getAttribute('aria-pressed') !== 'true') {
    info.setAttribute('aria-pressed', on)
    stage.classList.toggle('untold', !on)
    kept('viewer-info', on ? 'on' : 'off')
  }

  function showHeart() {
    const box = hearts && pictures[index].heart
    heart.hidden = !box
    heart.setAttribute('aria-pressed', Boolean(box?.checked))
  }

  function toggleHeart() {
    const box = hearts && pictures[index].heart
    if (box) dispatchEvent(new CustomEvent('favourite', { detail: { value: box.value, checked: !box.checked } }))
  }

  function nextSurround() {
    stage.dataset.surround = surrounds[(surrounds.indexOf(stage.dataset.surround) + 1) % surrounds.length]
    kept('surround', stage.dataset.surround)
  }

  function toggleFull() {
    if (document.fullscreenElement) document.exitFullscreen()
    else stage.requestFullscreen().catch(() => {})
  }

  function toggleSlides() {
    if (slides) return stopSlides()
    play.setAttribute('aria-pressed', 'true')
    schedule()
  }

  function stopSlides() {
    clearTimeout(slides)
    slides = undefined
    play.setAttribute('aria-pressed', 'false')
  }

  // schedule shows the next photograph when this one has been seen.
  function schedule() {
    clearTimeout(slides)
    slides = setTimeout(() => turn(1) || stopSlides(), shownFor)
    const current = slots.get(index).firstElementChild.lastElementChild
    if (!current.complete) current.decode().catch(() => {}).then(() => slides && slots.get(index)?.contains(current) && schedule())
  }

  function key(event) {
    event.stopPropagation() // the page has keys of its own
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const pan = zoom.scale > 1 && { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] }[event.key]
    const onControl = event.target !== stage
    const act = pan ? () => setZoom(zoom.scale, zoom.x + pan[0], zoom.y + pan[1]) : {
      ArrowLeft: () => turn(-1), ArrowRight: () => turn(1), PageUp: () => turn(-1), PageDown: () => turn(1),
      Home: () => turn(-index), End: () => turn(pictures.length - 1 - index),
      ' ': onControl ? undefined : toggleSlides, Enter: onControl ? undefined : () => toggleZoom(),
      i: () => toggleInfo(), z: () => toggleZoom(), '+': () => zoomAt(Math.min(4 * actual(), zoom.scale * 1.5), stage.clientWidth / 2, stage.clientHeight / 2),
      '-': () => zoomAt(zoom.scale / 1.5, stage.clientWidth / 2, stage.clientHeight / 2), b: nextSurround, f: toggleFull, h: toggleHeart,
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  function leave() {
    dialog.close()
  }

  // closed gives the page and its address back as they were, with the focus on the photograph
  // seen last, unless Forward has opened the viewer again since.
  function closed() {
    if (dialog.open) return
    stopSlides()
    hide()
    if (document.fullscreenElement) document.exitFullscreen()
    if (history.state?.view >= 0) history.back()
    document.documentElement.style.paddingRight = ''
    document.documentElement.style.overflow = ''
    const element = pictures[index].element.isConnected ? pictures[index].element : opened
    if (element !== opened) element?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    ;(document.querySelector('[data-view-open]') ?? element?.querySelector('a'))?.focus({ preventScroll: true })
  }
}
