import {
  createExamples,
  fresh,
  type HttpResponse,
  type Ids,
  type Operation,
  operationsOf,
  pathOf,
  report,
  type ServiceErrorBody,
  type TestStore,
  useSharedSystem,
} from '@storekeep/test/kit'
import { afterAll, describe, expect, it } from 'vitest'

// Access control of every documented operation, so that new ones are covered automatically. `own` is the store of the
// caller, who may neither see nor change the records of `other`.
const { createStore, operator, shopper, http, contract } = await useSharedSystem()
const [own, other] = await Promise.all([createStore({ game: 'minecraft' }), createStore({ game: 'minecraft' })])

const operations = operationsOf(contract.description)
const management = operations.filter(({ template }) => template.startsWith('/v1/stores/{storeId}/'))
const storefront = operations.filter(
  ({ auth, template }) => auth !== 'game-server' && !template.startsWith('/v1/stores/'),
)
const scopes = [...new Set(management.flatMap(({ scope }) => scope ?? []))]
const kinds = [...new Set(management.flatMap(({ children }) => children))]
const examples = createExamples(operations, shopper)

const [mine, theirs] = [await oneOfEach(own), await oneOfEach(other)]
const [myToken, theirToken] = [await newToken(own, mine.customerId), await newToken(other, theirs.customerId)]
const claimedToken = await signInByName(other)
const [revokedToken, revokedKey] = [await newRevokedToken(), await withKey(other, [], async (key) => key)]

/** Ids that exist only in the other store, unlike those in the examples. */
const ownIds = idsIn(await recordsOf(own, mine))
const secretIds = [...idsIn(await recordsOf(other))].filter((id) => !ownIds.has(id))
let cells = 0
afterAll(() => report('isolation', { operations: operations.length, cells }))

it('knows the parameters of every operation and has records to detect', () => {
  for (const { name, auth, scope } of management) {
    expect([name, auth, scope]).toEqual([name, 'key', expect.stringMatching(/^[a-z-]+:(read|write)$/)])
  }
  for (const { name, auth, template } of storefront) {
    expect([name, auth, template]).toEqual([
      name,
      expect.stringMatching(/^(token|optional|none)$/),
      expect.stringMatching(/^\/v1\/(store|checkouts)(\/|$)/),
    ])
  }
  expect(management.length).toBeGreaterThanOrEqual(25)
  expect(storefront.length).toBeGreaterThanOrEqual(3)
  expect(secretIds.length).toBeGreaterThan(kinds.length)
})

it.each(kinds)('would detect a change of the record with the id {%s}', async (kind) => {
  const before = await recordsOf(other)
  await examples.newChild(other, kind)
  expect(await recordsOf(other)).not.toEqual(before)
})

describe.each(management)('$name', (operation) => {
  const { scope = '', success } = operation

  it('accepts a key of the store with only its scope', async () => {
    const attempt = async (key: string) => {
      const request = { ids: await examples.newChildren(own, operation), json: await examples.newBody(own, operation) }
      return await outcome(operation, own, `APIKey ${key}`, request)
    }
    expect([await attempt(own.apiKey), await withKey(own, [scope], attempt)]).toEqual([success, success])
  })

  it('rejects every other caller, reveals nothing and changes nothing', async () => {
    const request = { ids: theirs, json: await newBodyInOther(operation) }
    const attempt = (credential?: string) => outcome(operation, other, credential, request)
    const attemptWith = (some: string[]) => withKey(other, some, (key) => attempt(`APIKey ${key}`))
    const before = await knownRecords()
    expect({
      'no credentials': await attempt(),
      garbage: await attempt('APIKey garbage'),
      'an unknown key': await attempt(`APIKey ${fresh.apiKey()}`),
      'a revoked key': await attempt(`APIKey ${revokedKey}`),
      'a customer of the store': await attempt(`Customer ${theirToken}`),
      'a customer of the store by a typed name': await attempt(`Customer ${claimedToken}`),
      'a customer of another store': await attempt(`Customer ${myToken}`),
      'a key of another store': await attempt(`APIKey ${own.apiKey}`),
      'a key with every other scope': await attemptWith(scopes.filter((one) => one !== scope)),
      'a key with only write scopes for a read, or vice versa': await attemptWith(scopes.filter(isOfOtherKind(scope))),
    }).toEqual({
      'no credentials': 'unauthorized',
      garbage: 'unauthorized',
      'an unknown key': 'unauthorized',
      'a revoked key': 'unauthorized',
      'a customer of the store': 'unauthorized',
      'a customer of the store by a typed name': 'unauthorized',
      'a customer of another store': 'unauthorized',
      'a key of another store': 'forbidden',
      'a key with every other scope': 'forbidden',
      'a key with only write scopes for a read, or vice versa': 'forbidden',
    })
    await expectUnchanged(before)
  })
})

describe.each(management.filter(({ children }) => children.length > 0))('$name', (operation) => {
  it.each(operation.children)('returns 404 for the {%s} of another store', async (parameter) => {
    const ids = { ...(await examples.newChildren(own, operation)), [parameter]: theirs[parameter] ?? '' }
    const request = { ids, json: await examples.newBody(own, operation) }
    const before = await knownRecords()
    expect(await outcome(operation, own, `APIKey ${own.apiKey}`, request)).toBe('not-found')
    await expectUnchanged(before)
  })
})

describe.each(management.filter(examples.namesRecords))('$name', (operation) => {
  it('rejects references to records of another store', async () => {
    const request = { ids: await examples.newChildren(own, operation), json: await newBodyInOther(operation) }
    const before = await knownRecords()
    expect(await outcome(operation, own, `APIKey ${own.apiKey}`, request)).toBe('validation-failed reference')
    await expectUnchanged(before)
  })
})

describe.each(management.filter(({ idQueries }) => idQueries.length > 0))('$name', (operation) => {
  it.each(operation.idQueries)('finds nothing of another store by %s', async (name) => {
    const request = { ids: mine, json: await examples.newBody(own, operation) }
    for (const id of Object.values(theirs)) {
      const found = await outcome(operation, own, `APIKey ${own.apiKey}`, { ...request, query: { [name]: id } })
      expect([operation.success, 'not-found'], id).toContain(found)
    }
  })
})

// The tests of the cart and of customers' own records check these with records that the customer has.
const ofAnyCustomer = storefront.filter(({ template }) => !/\{|\/cart/.test(template))

describe.each(ofAnyCustomer)('$name', (operation) => {
  it('accepts only the documented callers', async () => {
    const { auth, success } = operation
    const request = { ids: theirs, json: await examples.newBody(other, operation) }
    const attempt = (credential?: string) => outcome(operation, other, credential, request)
    const rejected = auth === 'none' ? success : 'unauthorized'
    expect({
      'no credentials': await attempt(),
      'a customer of the store': await attempt(`Customer ${theirToken}`),
      'a customer of another store': await attempt(`Customer ${myToken}`),
      'a revoked customer token': await attempt(`Customer ${revokedToken}`),
      garbage: await attempt('Customer garbage'),
      'a key of the store': await attempt(`APIKey ${other.apiKey}`),
      'a key of another store': await attempt(`APIKey ${own.apiKey}`),
    }).toEqual({
      'no credentials': auth === 'token' ? 'unauthorized' : success,
      'a customer of the store': success,
      'a customer of another store': auth === 'none' ? success : 'forbidden',
      'a revoked customer token': rejected,
      garbage: rejected,
      'a key of the store': rejected,
      'a key of another store': rejected,
    })
  })
})

/**
 * The outcome of a request: its success status, or its error code with the validations that failed. For every caller but
 * its owner, a response that contains an id of the other store is reported as a leak.
 */
async function outcome(
  operation: Operation,
  store: TestStore,
  authorization: string | undefined,
  request: Request,
): Promise<string | number> {
  cells += 1
  const { status, text, body } = await send(operation, store, authorization, request)
  const isTheirs = store === other && status < 300
  const leaked = isTheirs ? [] : secretIds.filter((id) => text.includes(id))
  if (leaked.length > 0) return `leak of ${leaked.join(', ')}`
  if (status < 300) return status
  const { code, errors } = body as ServiceErrorBody
  return [code, ...new Set(errors?.map(({ validation }) => validation))].join(' ')
}

function send(
  operation: Operation,
  store: TestStore,
  authorization: string | undefined,
  { ids, json, query = {} }: Request,
): Promise<HttpResponse> {
  const url = new URL(pathOf(operation, store.id, ids), 'http://any')
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const store_header = operation.auth === 'key' ? undefined : store.id
  const headers = { authorization, 'x-service-store-id': store_header }
  return http.request(operation.method, url.pathname + url.search, { json, headers })
}

interface Request {
  ids: Ids
  json?: unknown
  query?: Record<string, string>
}

/** The records of the other store as last read. A test starts where the one before has ended, unless it has created some. */
let known: string[] | undefined

async function knownRecords(): Promise<string[]> {
  known ??= await recordsOf(other)
  return known
}

async function expectUnchanged(before: string[]): Promise<void> {
  known = await recordsOf(other)
  expect(known).toEqual(before)
}

/** A body for a request, whose references are to new records of the other store. */
async function newBodyInOther(operation: Operation): Promise<unknown> {
  if (examples.namesRecords(operation)) known = undefined
  return await examples.newBody(other, operation)
}

/** Everything that the store's owner and its signed-in customer can read, except the search index, which may lag. */
async function recordsOf(store: TestStore, ids = theirs): Promise<string[]> {
  const reads = [...management, ...storefront].filter(
    // The store's owner reads the same records as the catalog, which is cached, and as single records of customers.
    ({ method, template }) =>
      method === 'GET' && !/\/dashboard\/|^\/v1\/store\/(products|tags|cart|.*\{)/.test(template),
  )
  const token = store === own ? myToken : theirToken
  return await Promise.all(
    reads.map(async (operation) => {
      const credential = operation.auth === 'key' ? `APIKey ${store.apiKey}` : `Customer ${token}`
      const { status, text } = await send(operation, store, credential, { ids })
      expect(status, `${operation.name} ${text}`).toBe(operation.success)
      return `${operation.name} ${text}`
    }),
  )
}

function idsIn(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.match(/(?<=")[1-9]\d{17,18}(?=")/g) ?? []))
}

async function oneOfEach(store: TestStore): Promise<Ids> {
  return await examples.newRecords(store, kinds)
}

async function newToken(store: TestStore, customerId = ''): Promise<string> {
  return (await store.post<{ token: string }>(`/customers/${customerId}/tokens`)).body.token
}

/** A claimed token: anyone can get one. */
async function signInByName(store: TestStore): Promise<string> {
  const json = { platform: 'minecraft', id: fresh.name() }
  const { body } = await store.shop<{ customer_token: string }>('POST', '/store/customer/auth', { json })
  // Works where it is meant to.
  expect((await store.shop('GET', '/store/customer', { token: body.customer_token })).status).toBe(200)
  return body.customer_token
}

async function newRevokedToken(): Promise<string> {
  const customerId = await examples.newChild(other, 'customerId')
  const token = await newToken(other, customerId)
  await other.delete(`/customers/${customerId}/tokens`)
  return token
}

/** Runs `work` with a key of the store and revokes the key afterwards, since a store can have only two. */
async function withKey<T>(store: TestStore, some: readonly string[], work: (key: string) => Promise<T>): Promise<T> {
  const { id, key } = await operator.createKey(store.id, { scopes: some })
  try {
    return await work(key)
  } finally {
    await operator.revokeKey(id)
  }
}

/** Selects the write scopes for a read scope and vice versa. */
function isOfOtherKind(scope: string): (one: string) => boolean {
  const kind = scope.split(':')[1]
  return (one) => one.split(':')[1] !== kind
}
