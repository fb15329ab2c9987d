import assert from 'node:assert/strict'

/** Runs the sign-in flow of the README against a running system. @throws when a response differs */
export async function runSignInFlow({ baseUrl, storeId, key }: FlowOptions): Promise<void> {
  const asStore = { authorization: `APIKey ${key}` }
  const customers = `${baseUrl}/v1/stores/${storeId}/customers`

  await send('GET', `${customers}/lookup?steam_id=${player}`, asStore, 404)
  const once = { ...asStore, 'idempotency-key': 'first-visit-1' }
  const customer = await send('POST', customers, once, 200, { steam_id: player, name: 'Robin' })
  const again = await send('POST', customers, once, 200, { steam_id: player, name: 'Robin' })
  assert.deepEqual(again, customer, 'A retry returns the same response as the first request.')
  const { token } = await send('POST', `${customers}/${customer.id}/tokens`, asStore, 200)

  const asPlayer = { authorization: `Customer ${token}`, 'x-service-store-id': storeId }
  const known = await send('GET', `${baseUrl}/v1/store/customer`, asPlayer, 200)
  assert.equal(known.id, customer.id, 'The token belongs to the customer.')
  await send('DELETE', `${customers}/${customer.id}/tokens`, asStore, 204)
  await send('GET', `${baseUrl}/v1/store/customer`, asPlayer, 401)
}

/** @returns the response body @throws when the status differs from `expected` */
export async function send(
  method: string,
  url: string,
  headers: Record<string, string>,
  expected: number,
  body?: object,
): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  })
  const text = await response.text()
  const request = `${method} ${new URL(url).pathname}`
  // A successful response may contain a token.
  const details = response.ok ? '' : `: ${text}`
  assert.equal(response.status, expected, `${request} returned ${response.status}${details}`)
  return text === '' ? {} : JSON.parse(text)
}

const player = '76561198000000001'

export interface FlowOptions {
  baseUrl: string
  storeId: string
  key: string
}
