import assert from 'node:assert/strict'

/** The sign-in walk of the README, against a running system. @throws when an answer differs */
export async function walkSignIn({ baseUrl, storeId, key }: WalkOptions): Promise<void> {
  const asStore = { authorization: `APIKey ${key}` }
  const customers = `${baseUrl}/v1/stores/${storeId}/customers`

  await ask('GET', `${customers}/lookup?steam_id=${player}`, asStore, 404)
  const once = { ...asStore, 'idempotency-key': 'first-visit-1' }
  const customer = await ask('POST', customers, once, 200, { steam_id: player, name: 'Robin' })
  const again = await ask('POST', customers, once, 200, { steam_id: player, name: 'Robin' })
  assert.deepEqual(again, customer, 'A repeated request is answered like the first.')
  const { token } = await ask('POST', `${customers}/${customer.id}/tokens`, asStore, 200)

  const asPlayer = { authorization: `Customer ${token}`, 'x-service-store-id': storeId }
  const known = await ask('GET', `${baseUrl}/v1/store/customer`, asPlayer, 200)
  assert.equal(known.id, customer.id, 'The token is the customer’s.')
  await ask('DELETE', `${customers}/${customer.id}/tokens`, asStore, 204)
  await ask('GET', `${baseUrl}/v1/store/customer`, asPlayer, 401)
}

async function ask(
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
  const what = `${method} ${new URL(url).pathname}`
  // What went well may hold a token.
  const said = response.ok ? '' : `: ${text}`
  assert.equal(response.status, expected, `${what} was answered with ${response.status}${said}`)
  return text === '' ? {} : JSON.parse(text)
}

const player = '76561198000000001'

interface WalkOptions {
  baseUrl: string
  storeId: string
  key: string
}
