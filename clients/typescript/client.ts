// The TypeScript client: openapi-fetch, typed by schema.ts.
import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

export type * from './schema.js'

// secondlight returns a client of the site at a base URL. Acting for a member needs
// their token; see /auth.md on the site.
export function secondlight(baseUrl: string, token?: string) {
  return createClient<paths>({ baseUrl, headers: token ? { Authorization: `Bearer ${token}` } : {} })
}
