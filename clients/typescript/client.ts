// The TypeScript client: openapi-fetch, typed by schema.ts, with retries, pages, errors and
// webhooks.
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

export type * from './schema.js'

// An answer that says "later" is asked for again up to so many times, after Retry-After seconds.
const attempts = 4
const maxWait = 60

// secondlight returns a client of the site at a base URL. Acting for a member needs
// their token; see /auth.md on the site.
export function secondlight(baseUrl: string, token?: string) {
  return createClient<paths>({ baseUrl, fetch: patient(fetch), headers: token ? { Authorization: `Bearer ${token}` } : {} })
}

// patient returns a fetch that waits when the server says so (429 and 503). A write has the same
// idempotency key in each attempt, so that it is done once.
export function patient(send: (request: Request) => Promise<Response>, sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms))) {
  return async (given: Request): Promise<Response> => {
    const request = new Request(given)
    if (request.method !== 'GET' && request.method !== 'HEAD' && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', crypto.randomUUID())
    }
    for (let attempt = 1; ; attempt++) {
      const response = await send(request.clone())
      if ((response.status !== 429 && response.status !== 503) || attempt === attempts) return response
      const seconds = Number(response.headers.get('Retry-After') ?? NaN)
      await sleep(1000 * (Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), maxWait) : 2 ** attempt))
    }
  }
}

// Problem is an error as the API returns it.
export type Problem = components['schemas']['Error']

// ApiError is an error of the API as an exception.
export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.message} ${problem.hint ?? ''}`.trim())
    this.name = 'ApiError'
  }
}

// ok returns the data of an answer, or throws its error.
export function ok<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new ApiError(answer.error as Problem)
  return answer.data
}

// pages yields the pages of a list, each by the next_cursor of the one before.
export async function* pages<P extends { next_cursor?: string }>(read: (cursor?: string) => Promise<{ data?: P; error?: unknown }>): AsyncGenerator<P> {
  for (let cursor: string | undefined; ; ) {
    const page = ok(await read(cursor))
    yield page
    if (!page.next_cursor) return
    cursor = page.next_cursor
  }
}

// verifyWebhook returns the JSON of a webhook whose signature (Standard Webhooks) is valid and not
// older than five minutes, or throws.
export async function verifyWebhook(secret: string, headers: Headers, body: string, now = Date.now()): Promise<unknown> {
  const id = headers.get('webhook-id')
  const timestamp = headers.get('webhook-timestamp')
  if (!id || !timestamp || !/^\d+$/.test(timestamp)) throw new Error('no webhook-id or webhook-timestamp')
  if (Math.abs(now / 1000 - Number(timestamp)) > 300) throw new Error('the timestamp is too old or too new')
  const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes(secret.replace(/^whsec_/, '').replaceAll('-', '+').replaceAll('_', '/')), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const given of (headers.get('webhook-signature') ?? '').split(' ')) {
    if (given.startsWith('v1,') && (await crypto.subtle.verify('HMAC', key, bytes(given.slice(3)), signed).catch(() => false))) return JSON.parse(body)
  }
  throw new Error('no signature matches')
}
