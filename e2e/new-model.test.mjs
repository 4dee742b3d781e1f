// Sells a camera that the catalogue lacks: the seller writes its brand and model, which the listing has
// at once, and the owner accepts it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forgive, patience, posture, settle, startBrowser, violations, watch } from './browser.mjs'
import { join, signIn } from './members.mjs'
import { startSite, top } from './site.mjs'

const photo = `${top}content/portfolio/far-from-home/nagasaki-boats.jpg`

let site, browser, sue, ada

before(async () => {
  site = await startSite({})
  browser = await startBrowser()
  sue = join(site, 'sue-sells')
  ada = join(site, 'ada-owns', { operator: true })
}, { timeout: 600_000 })

after(async () => {
  await browser?.close()
  await site?.stop()
})

for (const javaScriptEnabled of [true, false]) {
  const model = javaScriptEnabled ? 'EOS R6 Mark IX' : 'EOS R5 Mark IX'
  const slug = `canon/${model.toLowerCase().replaceAll(' ', '-')}`

  test(`a model that the catalogue lacks is sold, and accepted, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, { timeout: 4 * patience }, async () => {
    const open = async (member) => {
      const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled })).newPage()
      const wrong = await watch(page, site)
      await signIn(page, site, member)
      return { page, wrong }
    }
    const { page, wrong } = await open(sue)
    await page.goto(`${site.url}/sell`)
    await page.locator('input[type=file]').first().setInputFiles(photo)
    if (javaScriptEnabled) await page.locator('.prints li').first().waitFor()
    await page.getByLabel('What are you selling?').fill(`Canon ${model}`)
    await page.locator('.grade-cards label', { hasText: 'Excellent' }).click()
    await page.locator('label', { hasText: 'Fully working' }).click()
    await page.getByLabel('Price', { exact: true }).fill('2500')
    await page.getByLabel('Model', { exact: true }).selectOption({ label: 'Not in the catalogue' })
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByLabel('Brand and model').fill(`Canon ${model}`)
    await page.getByLabel('Category').selectOption('mirrorless')
    if (javaScriptEnabled) {
      await page.locator('[data-saved]', { hasText: 'Draft saved' }).waitFor()
      await forgive(page) // the page grew by what was added to it
      wrong.push(...(await violations(page, 'main')))
    }
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.waitForURL('**/listings/*')
    const listing = new URL(page.url()).pathname
    await page.getByText('not yet in the catalogue').first().waitFor()
    await settle(page)
    assert.deepEqual([...wrong.filter((w) => !/400|409/.test(w)), ...(await posture(page))], [])
    const stored = async () => (await fetch(`${site.url}/api${listing}`)).json()
    assert.equal((await stored()).new_model, slug)

    const owner = await open(ada)
    await owner.page.goto(`${site.url}/admin/catalog-proposals`)
    const proposal = owner.page.locator('section', { hasText: slug })
    await proposal.getByText('not yet in the catalogue').waitFor()
    await proposal.getByText(listing).waitFor()
    if (javaScriptEnabled) assert.deepEqual(await violations(owner.page), [])
    await proposal.getByRole('button', { name: 'Accept' }).click()
    await proposal.waitFor({ state: 'detached' })
    assert.deepEqual([...owner.wrong, ...(await posture(owner.page))], [])

    const { gear, new_model: left } = await stored()
    assert.deepEqual([gear, left], [slug, undefined])
    await page.reload()
    assert.equal(await page.getByText('not yet in the catalogue').count(), 0)
    await page.goto(`${site.url}/gear/${slug}`)
    await page.getByRole('heading', { name: `Canon ${model}` }).first().waitFor()
    do await page.goto(`${site.url}/listings?model=${slug}`) // until the index has the catalogue
    while (await page.locator(`a[href*="${listing}"]`).count() === 0)
  })
}
