// The reader's choice of light or dark, and of a dark background for photographs (portfolio.js). This runs before the page is painted, so that it
// does not flash.

const root = document.documentElement
const themes = ['light', 'dark']

try {
  const chosen = localStorage.getItem('theme')
  if (!root.dataset.theme && themes.includes(chosen)) root.dataset.theme = chosen
  if (localStorage.getItem('background')) root.dataset.background = 'dark'
} catch {
  // The browser refuses to store anything.
}

addEventListener('DOMContentLoaded', () => {
  const select = document.querySelector('#theme')
  if (!select) return
  select.value = root.dataset.theme ?? ''
  select.addEventListener('change', () => {
    try {
      select.value ? localStorage.setItem('theme', select.value) : localStorage.removeItem('theme')
    } catch {
      // The choice lasts for this page.
    }
    if (select.value) root.dataset.theme = select.value
    else delete root.dataset.theme
  })
})
