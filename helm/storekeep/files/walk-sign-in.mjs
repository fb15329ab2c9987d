// What `helm test` runs: in a store of its own it looks a player up, makes the customer and a token, asks who that is, and
// ends the token. It runs in the image of admin-tools, whose command creates the store and a key for the duration of the test.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const { GATEWAY_URL: gateway, STORE_SLUG: slug } = process.env
const keyName = 'helm test'
const player = '76561199000000001'

const store = await findOrMakeStore()
const { id: keyId, key } = await newKey()
try {
  await walk({ authorization: `APIKey ${key}` })
  process.stdout.write('The sign-in flow works.\n')
} finally {
  await admin('revoke-key', '--key', keyId)
}

async function walk(asStore) {
  const customers = `/v1/stores/${store.id}/customers`
  const found = await ask('GET', `${customers}/lookup?steam_id=${player}`, asStore)
  const isNew = found.status === 404
  const { id } = await expectOk(isNew ? ask('POST', customers, asStore, { steam_id: player }) : found)
  const { token } = await expectOk(ask('POST', `${customers}/${id}/tokens`, asStore))
  const asPlayer = { authorization: `Customer ${token}`, 'x-service-store-id': store.id }
  const known = await expectOk(ask('GET', '/v1/store/customer', asPlayer))
  if (known.id !== id) throw new Error('The token belongs to somebody else.')
  await expectOk(ask('DELETE', `${customers}/${id}/tokens`, asStore))
  const { status } = await ask('GET', '/v1/store/customer', asPlayer)
  if (status !== 401) throw new Error(`An ended token is answered with ${status}.`)
}

async function findOrMakeStore() {
  const stores = await admin('list-stores')
  const known = stores.find((one) => one.slug === slug)
  return known ?? admin('create-store', '--slug', slug, '--name', slug, '--game', 'rust', '--currency', 'usd')
}

/** Keys that an earlier test could not take back give way, since a store has two at most. */
async function newKey() {
  for (const { id, name, revoked_at } of await admin('list-keys', '--store', slug)) {
    if (name === keyName && revoked_at === null) await admin('revoke-key', '--key', id)
  }
  return admin('create-key', '--store', slug, '--name', keyName)
}

async function admin(...args) {
  const program = ['services/admin-tools/src/main.ts', ...args, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, program)
  return JSON.parse(stdout)
}

async function ask(method, path, headers, body) {
  const response = await fetch(new URL(path, gateway), {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  return { what: `${method} ${path}`, status: response.status, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** What was answered is printed, so that a failed test says why; tokens are only in answers that went well. */
async function expectOk(asked) {
  const { what, status, text, body } = await asked
  if (status >= 300) throw new Error(`${what} was answered with ${status}: ${text}`)
  return body
}
