// Validates the HTML of every kind of page.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FileSystemConfigLoader, HtmlValidate } from 'html-validate'
import { kindsOf, memberKindsOf } from './kinds.mjs'
import { cookieOf } from './members.mjs'
import { startSite } from './site.mjs'

const validator = new HtmlValidate(new FileSystemConfigLoader({
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // Style sheet and script come from the site itself, under the name of their content.
    'require-sri': ['error', { target: 'crossorigin' }],
    // A list may have a name of its own, says ARIA; the rule would rather it had none.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    // What scrolls sideways must be reached by keyboard and so has a role and a
    // name; a section would promise a heading, a fieldset a form.
    'prefer-native-element': ['error', { exclude: ['region', 'group'] }],
  },
}))

let site, pages

before(async () => {
  site = await startSite({ shared: 'kinds' })
  pages = await kindsOf(site)
}, { timeout: 600_000 })

after(() => site?.stop())

test('the HTML of every page is valid', async () => {
  const found = await validate(pages, {})
  if (found.length > 0) assert.fail(`\n${found.join('\n')}`)
})

test('the HTML of every page of a member is valid', async (t) => {
  if (!site.run) return t.skip('nobody may make members of another site')
  const { members, kinds } = await memberKindsOf(site)
  const found = []
  for (const [who, theirs] of Object.entries(kinds)) found.push(...await validate(theirs, { Cookie: await cookieOf(site, members[who]) }))
  if (found.length > 0) assert.fail(`\n${found.join('\n')}`)
})

// validate returns the validation errors of pages.
async function validate(pages, headers) {
  const found = []
  for (const [kind, address] of Object.entries(pages)) {
    const answer = await fetch(site.url + address, { headers: { Accept: 'text/html', ...headers } })
    const report = await validator.validateString(await answer.text())
    for (const message of report.results.flatMap((result) => result.messages)) {
      found.push(`${kind} (${address}), line ${message.line}: ${message.ruleId}: ${message.message} ${message.selector ?? ''}`)
    }
  }
  return found
}
