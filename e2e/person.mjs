// A member of a site under test who uses it with a browser.
import assert from 'node:assert/strict'
import { posture, settle, watch } from './browser.mjs'
import { apiOf, join, signIn, tokenOf } from './members.mjs'

// meet creates a member, signs a browser in and resolves to the person. Options are those
// of the browser and of join. wrong collects the problems of all pages that they see.
export async function meet(site, browser, handle, { operator, ...screen } = {}) {
  const member = join(site, handle, { operator })
  const page = await (await browser.newContext(screen)).newPage()
  const wrong = await watch(page, site)
  await signIn(page, site, member)
  const stand = async () => {
    await page.waitForLoadState('load')
    await settle(page)
    wrong.push(...(await posture(page)).map((what) => `${page.url()}: ${what}`))
  }
  // left resolves when the page has changed since it was marked.
  let presses = 0
  const mark = () => page.evaluate(() => (globalThis.marked = true))
  const left = () => page.waitForFunction(() => !globalThis.marked)
  return {
    presses: () => presses, // that were done
    handle, page, wrong, api: apiOf(site, tokenOf(site, member)),
    text: (selector) => page.locator(selector).first().innerText(),
    async go(path) {
      const answer = await page.goto(site.url + path)
      assert.equal(answer.status(), 200, `${path} for ${handle}`)
      await stand()
    },
    // follow clicks the first match, which leads to another page.
    async follow(links) {
      await mark()
      await links.first().click()
      await left()
      await stand()
    },
    // search searches for words with the search box of the header.
    async search(words) {
      await mark()
      await page.locator('#find').fill(words)
      await page.keyboard.press('Enter')
      await left()
      await stand()
    },
    // press submits a form, which redirects to a page unless another status is expected.
    async press(name, status = 303) {
      await mark()
      const [answer] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'POST'),
        page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' }).click(),
      ])
      assert.equal(answer.status(), status, `${name} for ${handle}: ${answer.status() === status ? '' : await page.getByRole('main').textContent()}`)
      if (status < 400) presses++
      if (answer.request().isNavigationRequest()) await left()
      await stand()
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${handle}-${String(name).replace(/\W+/g, '-')}.png`, fullPage: true })
    },
  }
}
