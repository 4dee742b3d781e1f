// Lists an address for every kind of page and its edge cases, for tests and
// screenshots.

import { apiOf, join, tokenOf } from './members.mjs'

export const missing = '/no/such/page'

// kindsOf resolves to the addresses of a site, by name.
export async function kindsOf(site) {
  const json = async (address) => {
    const answer = await fetch(site.url + address, { headers: { Accept: 'application/json' } })
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
    return answer.json()
  }
  const first = async (address, list) => list(await json(address))[0].page
  const found = await json('/api/listings/search?sort=deal') // the first has a trend, too
  const listing = found.listings[0]
  const brand = found.facets.brand[0].value
  const taken = (await json('/portfolio')).facets.camera[0].page // photographs whose camera is known
  const photo = await first(taken, (page) => page.photos)
  return {
    'home': '/',
    'search': '/listings',
    'search-full': '/listings?view=full',
    'search-filtered': `/listings?keyword=50mm&category=lens&brand=${brand}&budget=100-900&sort=price`,
    'category': '/used/lenses',
    'search-nothing': '/listings?keyword=zzzzqqqq',
    'listing': `/listings/${listing.id}`,
    'gear-index': '/gear',
    'brand': `/gear/${brand}`,
    'gear': `/gear/${listing.gear}`,
    'prices': '/prices',
    'price-guide': `/prices?gear=${listing.gear}&condition=${listing.condition}&price=400`,
    'price-question': '/prices?gear=r6',
    'valuation': '/prices/valuation',
    'accuracy': '/prices/accuracy',
    'price chart': '/prices/charts/kinds',
    'compare': '/compare?gear=canon/eos-r6,sony/alpha-7-iii,fujifilm/x-t4',
    'compare-start': '/compare',
    'compare-listings': `/compare?listing=${found.listings.slice(0, 4).map((each) => each.id)}&to=DE`,
    'seller': `/sellers/${listing.seller}`,
    'guides': '/guides',
    'guide': '/guides/condition-grades',
    'docs': '/docs',
    'doc': '/docs/first-shop',
    'journal': '/journal',
    'journal-entry': await first('/journal', (page) => page.entries),
    'about': '/about',
    'help': '/help',
    'privacy': '/privacy',
    'imprint': '/imprint',
    'contact': '/contact?topic=print&about=/portfolio',
    'contact-sent': '/contact/sent',
    'offline': '/offline',
    'portfolio': '/portfolio',
    'portfolio-narrowed': taken,
    'project': photo.replace(/\/[^/]+$/, ''),
    'photo': photo,
    'kit': '/kit',
    'reference': '/developers',
    'errors': '/errors',
    'error': '/errors/listing_not_found',
    'sign-in': '/sign-in?next=%2Faccount',
    'sign-up': '/sign-up',
    'reset-password': '/reset-password',
    'primitives': '/ui',
    'missing': missing,
  }
}

// memberKindsOf creates two members in the middle of a trade, and an operator. It
// resolves to the members and the addresses of their pages, by member and name. A shared site
// has them already.
export async function memberKindsOf(site) {
  if (site.inTrade) return site.inTrade
  const members = { ann: join(site, 'ann-photo'), bob: join(site, 'bob-photo'), olga: join(site, 'olga-keeps', { operator: true }) }
  const ann = apiOf(site, tokenOf(site, members.ann))
  const bob = apiOf(site, tokenOf(site, members.bob))
  const item = (title) => ({
    gear: 'canon/eos-r6', title, price: { amount: '999.00', currency: 'EUR' }, condition: 'excellent', functional: 'fully_working',
    description: 'Bought new, used on weekends.', region: 'DE', included: ['battery', 'charger'],
  })
  const put = async (title) => {
    const { id } = await ann('POST', '/api/listings', item(title), 201)
    await ann('POST', `/api/listings/${id}/publish`, {})
    return id
  }
  const { id: draft } = await ann('POST', '/api/listings', item('A draft'), 201)
  const open = await put('Open to offers')
  const { id: offer } = await bob('POST', `/api/listings/${open}/offers`, { amount: { amount: '900.00', currency: 'EUR' }, message: 'Nine hundred?' }, 201)
  const { id: conversation } = await bob('POST', `/api/listings/${open}/messages`, { text: 'Is the shutter count known?' }, 201)
  await bob('PUT', `/api/watchlist/${open}`)
  await bob('POST', '/api/searches', { name: 'R6 bodies', query: 'keyword=canon+r6&budget=-1200', every: 'daily', email: true }, 201)
  await bob('POST', `/api/listings/${open}/report`, { reason: 'other', text: 'The pictures are of another camera.' }, 201)
  await bob('POST', '/api/contact', { name: 'Bob', email: 'bob@example.org', topic: 'print', about: '/portfolio', text: 'Is the first one available as a print?\n\nAbout 40 by 60 cm would be great.' }, 201)
  const traded = await put('Traded')
  const { id: done } = await bob('POST', `/api/listings/${traded}/offers`, { amount: { amount: '950.00', currency: 'EUR' } }, 201)
  await ann('POST', `/api/offers/${done}/accept`, {})
  await ann('POST', `/api/offers/${done}/complete`, {})
  await bob('POST', `/api/offers/${done}/confirm`, {})
  const sent = await put('To be handed over')
  const { id: accepted } = await bob('POST', `/api/listings/${sent}/offers`, { amount: { amount: '940.00', currency: 'EUR' } }, 201)
  await ann('POST', `/api/offers/${accepted}/accept`, {})
  const olga = apiOf(site, tokenOf(site, members.olga))
  const { id: kitItem } = await olga('POST', '/api/me/kit', { name: 'Canon EOS R6', condition: 'good', public: true }, 201)
  const entry = (await (await fetch(`${site.url}/journal`, { headers: { Accept: 'application/json' } })).json()).entries[0].page
  return {
    members,
    kinds: {
      ann: {
        'account': '/account', 'settings': '/account/settings', 'advanced': '/account/advanced', 'tokens': '/account/tokens', 'passkeys': '/account/passkeys', 'delete-account': '/account/delete',
        'sell': '/sell', 'sell-title': '/sell?title=leica', 'sell-form': '/sell?gear=canon/eos-r6', 'draft': `/sell/${draft}`, 'listing-form': `/sell/${open}`,
        'own-listing': `/listings/${open}`, 'own-listings': '/account/listings', 'offers': '/account/offers', 'offer': `/account/offers/${offer}`,
        'messages': '/account/messages', 'conversation': `/account/messages/${conversation}`, 'hand-over-seller': `/account/offers/${accepted}`,
        'blocks': '/account/blocks', 'my-kit': '/account/kit', 'kit-new': '/account/kit/new?gear=canon/eos-r6', 'kit-export': '/account/kit/export', 'watchers': `/account/listings/${open}/watchers`, 'stolen': '/stolen',
      },
      bob: {
        'listing-of-another': `/listings/${open}`, 'offer-made': `/account/offers/${offer}`, 'offer-completed': `/account/offers/${done}`,
        'watchlist': '/account/watchlist', 'searches': '/account/searches', 'search-new': '/account/searches/new?keyword=r6', 'hand-over-buyer': `/account/offers/${accepted}`,
      },
      olga: {
        'moderation': '/account/moderation', 'checks': '/account/moderation/checks', 'held-words': '/account/moderation/words', 'audit': '/admin/audit', 'admin': '/admin', 'checklist': '/admin/checklist', 'site': '/admin/site', 'look': '/admin/look', 'connect': '/account/connect', 'site-preview': '/admin/site/preview?theme=darkroom', 'admin-members': '/admin/members', 'admin-member': '/admin/members?keyword=ann-photo', 'jobs': '/admin/jobs', 'sales-in-review': '/account/moderation/sales',
        'contact-messages': '/admin/contact', 'mail': '/admin/mail', 'backups': '/admin/backups',
        'texts': '/admin/pages', 'text': '/admin/pages/pages/about/en', 'text-journal': `/admin/pages${entry}/en`, 'catalog': '/admin/catalog', 'catalog-new': '/admin/catalog/new', 'catalog-gear': '/admin/catalog/canon/eos-r6',
        'imports': '/admin/imports', 'portfolio-editor': '/account/portfolio', 'own-kit': '/account/kit', 'kit-item': `/account/kit/${kitItem}`,
      },
    },
  }
}
