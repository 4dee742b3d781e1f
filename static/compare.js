// Listings chosen for a comparison are remembered on this device, in a bar on pages with
// cards. Without JavaScript those of one page are compared.

const comparedMax = 4
const isListing = (id) => /^[0-9a-f-]{36}$/.test(id)
const compared = () => kept('compare').filter(isListing)

if (location.pathname === '/compare') {
  const ids = new URLSearchParams(location.search).getAll('listing').join().split(',').filter(isListing)
  if (ids.length) keep('compare', ids.slice(0, comparedMax))
}
for (const event of ['pageshow', 'results']) addEventListener(event, () => showCompared())

addEventListener('change', ({ target }) => {
  if (!target.form?.matches('.compare-bar')) return
  const others = compared().filter((id) => id !== target.value)
  const full = target.checked && others.length >= comparedMax
  if (!full) keep('compare', target.checked ? [...others, target.value] : others)
  showCompared(full && texts.full)
})

// showCompared checks the boxes of the chosen listings, and says how many they are, or
// why there can't be more.
function showCompared(refusal) {
  const bar = document.querySelector('.compare-bar')
  if (!bar) return
  const ids = compared()
  for (const box of bar.elements) if (box.type === 'checkbox') box.checked = ids.includes(box.value)
  const text = refusal || (ids.length === 1 ? texts.one : texts.selected.replace('%', ids.length))
  const link = make('a', { className: 'button', href: `/compare?listing=${ids}`, textContent: texts.compare })
  const clear = make('button', { className: 'quiet', type: 'button', textContent: texts.clear })
  clear.onclick = () => {
    keep('compare', [])
    showCompared()
    document.querySelector('main').focus({ preventScroll: true })
  }
  bar.replaceChildren(make('p', { textContent: text }), ...(ids.length > 1 ? [link] : []), clear)
  bar.classList.toggle('open', ids.length > 0)
  if (refusal !== undefined) say(text)
}
