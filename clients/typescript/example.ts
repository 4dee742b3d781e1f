// Searches a site, reads the first listing and tries to make an offer without a token.
// The browser tests compile it strictly and run it: node example.js http://127.0.0.1:8080
import { secondlight } from './client.js'

declare const process: { argv: string[] }

const { GET, POST } = secondlight(process.argv[2] ?? 'http://127.0.0.1:8080')

const search = await GET('/api/listings/search', { params: { query: { category: 'lens', budget: '100-900', sort: 'deal', limit: 3 } } })
if (!search.data) throw new Error(`${search.error.code}: ${search.error.message} ${search.error.hint}`)
for (const { id, title, price } of search.data.listings) console.log(id, title, price.amount, price.currency)

const [first] = search.data.listings
if (!first) throw new Error('no listings')
const { data: listing } = await GET('/api/listings/{id}', { params: { path: { id: first.id } } })
const seller: string | undefined = listing?.seller

const offer = await POST('/api/listings/{id}/offers', {
  params: { path: { id: first.id } },
  body: { amount: { amount: '100.00', currency: 'EUR' } },
})
const code: string | undefined = offer.error?.code
console.log(search.data.total, seller, code)
