// One address of every kind of page and of its awkward states, for the tests to
// look at and the screenshots to show.

export const missing = '/no/such/page'

// kindsOf resolves to what there is on a site: a name to an address.
export async function kindsOf(site) {
  const json = async (address) => {
    const answer = await fetch(site.url + address, { headers: { Accept: 'application/json' } })
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
    return answer.json()
  }
  const first = async (address, list) => {
    const { pathname, search } = new URL(list(await json(address))[0].url)
    return pathname + search
  }
  const found = await json('/api/listings/search?sort=deal') // the first has a trend, too
  const listing = found.listings[0]
  const brand = found.facets.brand[0].value
  const taken = (await json('/portfolio')).facets.camera[0].href // photographs whose camera is known
  const photo = await first(taken, (page) => page.photos)
  return {
    'home': '/',
    'search': '/listings',
    'search-filtered': `/listings?keyword=50mm&category=lens&brand=${brand}&budget=100-900&sort=price`,
    'search-nothing': '/listings?keyword=zzzzqqqq',
    'listing': `/listings/${listing.id}`,
    'gear-index': '/gear',
    'brand': `/gear/${brand}`,
    'gear': `/gear/${listing.gear}`,
    'seller': `/sellers/${listing.seller}`,
    'guides': '/guides',
    'guide': '/guides/condition-grades',
    'journal': '/journal',
    'journal-entry': await first('/journal', (page) => page.entries),
    'about': '/about',
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
