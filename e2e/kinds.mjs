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
  const found = await json('/api/listings/search?sort=deal') // the first has a trend, too
  const listing = found.listings[0]
  const brand = found.facets.brand[0].value
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
    'guide': '/guides/condition-grades',
    'reference': '/developers',
    'error': '/errors/listing_not_found',
    'missing': missing,
  }
}
