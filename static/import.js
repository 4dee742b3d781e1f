// What the page of an import does better with JavaScript: it shows the progress of the
// import until that ends, and then what became of it.

const pause = 2000 // milliseconds

async function refresh() {
  const now = document.querySelector('#import-progress')
  if (!now?.hasAttribute('data-running')) return
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.querySelector('#import-progress')
    if (next && !next.hasAttribute('data-running')) return location.reload()
    const bar = next?.querySelector('progress')
    if (bar) {
      now.querySelector('progress').value = bar.value
      now.querySelector('label').textContent = next.querySelector('label').textContent
      now.querySelector('.tiles').replaceWith(next.querySelector('.tiles'))
    }
  } catch {
    // The next attempt may succeed.
  }
  setTimeout(refresh, pause)
}

setTimeout(refresh, pause)
