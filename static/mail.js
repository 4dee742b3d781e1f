// What the form of the mail server does better with JavaScript: a provider fills in its server and
// port.

const form = document.querySelector('#mail-server')
const preset = form.querySelector('[name=preset]')
preset.addEventListener('change', () => {
  const { host, port } = preset.selectedOptions[0].dataset
  form.querySelector('[name=mail_server]').value = host
  form.querySelector('[name=port]').value = port
})
