// The script of `helm test`. In a separate store it looks up a player, creates the customer and a token, verifies the token
// and revokes it. It runs in the admin-tools image and uses its commands to create the store and a temporary API key.
import { pathToFileURL } from 'node:url'

const { runAdmin } = await import(pathToFileURL('services/admin-tools/src/run-admin.ts'))
const { configFromProcess, invocationFromProcess } = await import(pathToFileURL('services/admin-tools/src/config.ts'))

const { GATEWAY_URL: gateway, STORE_SLUG: slug } = process.env
const keyName = 'helm test'
const steamId = '76561199000000001'

const store = await findOrCreateStore()
const { id: keyId, key } = await createKey()
try {
  await signIn({ authorization: `APIKey ${key}` })
  process.stdout.write('The sign-in flow works.\n')
} finally {
  await admin('revoke-key', '--key', keyId)
}

async function signIn(credentials) {
  const customers = `/v1/stores/${store.id}/customers`
  const found = await send('GET', `${customers}/lookup?steam_id=${steamId}`, credentials)
  const isNew = found.status === 404
  const { id } = await expectOk(isNew ? send('POST', customers, credentials, { steam_id: steamId }) : found)
  const { token } = await expectOk(send('POST', `${customers}/${id}/tokens`, credentials))
  const asCustomer = { authorization: `Customer ${token}`, 'x-service-store-id': store.id }
  const customer = await expectOk(send('GET', '/v1/store/customer', asCustomer))
  if (customer.id !== id) throw new Error('The token belongs to another customer.')
  await expectOk(send('DELETE', `${customers}/${id}/tokens`, credentials))
  const { status } = await send('GET', '/v1/store/customer', asCustomer)
  if (status !== 401) throw new Error(`A revoked token returned status ${status} instead of 401.`)
}

async function findOrCreateStore() {
  const stores = await admin('list-stores')
  const existing = stores.find((candidate) => candidate.slug === slug)
  return existing ?? admin('create-store', '--slug', slug, '--name', slug, '--game', 'rust', '--currency', 'usd')
}

/** Revokes keys that an interrupted test left behind, because a store has at most two. */
async function createKey() {
  for (const { id, name, revoked_at } of await admin('list-keys', '--store', slug)) {
    if (name === keyName && revoked_at === null) await admin('revoke-key', '--key', id)
  }
  return admin('create-key', '--store', slug, '--name', keyName)
}

async function admin(...args) {
  let output = ''
  const code = await runAdmin([...args, '--json'], {
    config: configFromProcess,
    invocation: invocationFromProcess(),
    out: (text) => {
      output += text
    },
    err: (text) => process.stderr.write(text),
  })
  if (code !== 0) throw new Error(`The admin command ${args[0]} failed.`)
  return JSON.parse(output)
}

async function send(method, path, headers, body) {
  const response = await fetch(new URL(path, gateway), {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  return {
    request: `${method} ${path}`,
    status: response.status,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** The error contains the response body; only successful responses contain tokens. */
async function expectOk(pending) {
  const { request, status, text, body } = await pending
  if (status >= 300) throw new Error(`${request} failed with status ${status}: ${text}`)
  return body
}
