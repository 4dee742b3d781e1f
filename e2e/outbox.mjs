// The emails that a site without a mail server writes to the folder outbox of its DATA_DIR.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { patience } from './browser.mjs'

// mails waits for emails that contain all texts, and resolves to them, decoded, the newest first.
export async function mails(folder, ...texts) {
  for (const deadline = Date.now() + patience; Date.now() < deadline;) {
    const found = names(folder).sort().reverse().map((name) => quotedPrintable(readFileSync(join(folder, name), 'utf8')))
      .filter((mail) => texts.every((text) => mail.includes(text)))
    if (found.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no mail with ${texts.join(' and ')}`)
}

// mailedLink resolves to the address of a page in the newest email to somebody, with its query.
export async function mailedLink(folder, email, path) {
  const [mail] = await mails(folder, email, `${path}?`)
  return mail.match(new RegExp(`${path}\\?[^\\s>]+`))[0]
}

// quotedPrintable returns a text that was encoded as quoted-printable.
export const quotedPrintable = (text) => Buffer.from(text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 'latin1').toString()

// names lists the emails, and nothing that is being written.
function names(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.eml'))
  } catch {
    return []
  }
}
