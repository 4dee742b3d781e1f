// A mail server for tests, on the loopback interface.
import { createServer } from 'node:net'
import { quotedPrintable } from './outbox.mjs'

// startMail resolves to { port, emails, waitFor, stop }: emails are those that arrived, each with
// its recipient and its decoded text, and waitFor resolves to the first that a function accepts.
export async function startMail() {
  const emails = []
  const waiting = new Set()
  const server = createServer((socket) => {
    let rest = ''
    let to = ''
    let body = null
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    socket.write('220 mail.test ESMTP\r\n')
    socket.on('data', (text) => {
      const lines = (rest + text).split('\r\n')
      rest = lines.pop()
      for (const line of lines) {
        if (body && line !== '.') {
          body.push(line)
          continue
        }
        if (body) {
          emails.push({ to, text: decoded(body.join('\n')) })
          for (const look of waiting) look()
          body = null
        }
        if (/^RCPT TO:/i.test(line)) to = line.match(/<(.*)>/)[1]
        if (line === 'DATA') body = []
        socket.write(line === 'DATA' ? '354 Start mail input\r\n' : '250 OK\r\n')
        if (line === 'QUIT') socket.end()
      }
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const waitFor = (accepts) => new Promise((resolve) => {
    const look = () => {
      const found = emails.find(accepts)
      if (!found) return
      waiting.delete(look)
      resolve(found)
    }
    waiting.add(look)
    look()
  })
  return { port: server.address().port, emails, waitFor, stop: () => server.close() }
}

// decoded returns an email with the quoted-printable and base64 of its parts decoded.
function decoded(email) {
  return email.split(/^--.*$/m).map((part) => {
    const [head, ...rest] = part.split('\n\n')
    const body = rest.join('\n\n')
    if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString()
    if (/^content-transfer-encoding: quoted-printable/im.test(head)) return quotedPrintable(body)
    return part
  }).join('\n')
}
