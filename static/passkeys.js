// Passkeys: what a browser must do by itself between the two halves of a ceremony.
// Without it, or without passkeys, one signs in with the password.

const ask = async (address, values) => {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(values),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${body.message} ${body.hint ?? ''}`)
  return body
}

const ceremonies = {
  add: async ({ name, password }) => {
    const { ceremony, options } = await ask('/account/passkeys/begin', { password })
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = await navigator.credentials.create({ publicKey })
    await ask('/account/passkeys', { ceremony, name, credential: JSON.stringify(credential) })
    return '/account/passkeys'
  },
  'sign-in': async ({ next }) => {
    const { ceremony, options } = await ask('/sign-in/passkey/begin', {})
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = await navigator.credentials.get({ publicKey })
    return (await ask('/sign-in/passkey', { ceremony, next, credential: JSON.stringify(credential) })).next
  },
}

const possible = typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential

for (const form of document.querySelectorAll('[data-passkey]')) {
  const refused = form.querySelector('[data-passkey-refused]')
  const button = form.querySelector('button')
  const tell = (text) => {
    refused.textContent = text
    refused.hidden = !text
  }
  if (!possible) {
    tell(form.dataset.impossible)
    button.disabled = true
    continue
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    tell('')
    try {
      location.assign(await ceremonies[form.dataset.passkey](Object.fromEntries(new FormData(form))))
    } catch (error) {
      tell(error.name === 'NotAllowedError' ? form.dataset.cancelled : form.dataset.failed ?? error.message)
      button.disabled = false
    }
  })
}
