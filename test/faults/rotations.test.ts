import { randomBytes } from 'node:crypto'
import { deriveCallKeys, parseCallKeys } from '@storekeep/common/crypto'
import { createClient, createGrpcTransport } from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { onServer } from '@storekeep/common/testing/database'
import { testCallSecret } from '@storekeep/common/testing/identity'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { fresh, report, seededRandom, type TestStore, waitFor } from '@storekeep/test/kit'
import { type Cluster, type RequestKind, startCluster, startOpenLoop } from '@storekeep/test/kit/cluster'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const old = { calls: testCallSecret, tokens: `1:${newKey()}`, pepper: newKey() }
const next = { calls: newKey(), tokens: `2:${newKey()}`, pepper: newKey() }
const rotated = ['stores', 'customers', 'gateway'] as const
/** The procedure of docs/deploying.md. */
const steps = { behind: [old, next], first: [next, old], alone: [next] } as const

let cluster: Cluster
let store: TestStore
const credentials = { apiKey: '', token: '', customerId: '' }
beforeAll(async () => {
  const patient = { REQUEST_TIMEOUT_MS: '10000' }
  cluster = await startCluster({
    only: ['stores', 'customers'],
    settings: {
      stores: secretsOf('stores', [old]),
      customers: secretsOf('customers', [old]),
      gateway: { ...secretsOf('gateway', [old]), ...patient },
    },
  })
  store = await cluster.createStore()
  credentials.apiKey = store.apiKey
  credentials.customerId = (await store.post<{ id: string }>('/customers', { name: fresh.name() })).body.id
  credentials.token = await mintToken()
})
afterAll(() => cluster?.stop())

/** Goal 21. Certificates are rotated in services/common/src/grpc/tls.test.ts and by `npm run bench -- tls`. */
describe('requests at a fixed rate while every secret is replaced', () => {
  const replaced = { apiKey: '', token: '', databaseUrl: '' }

  it('requests succeed', async () => {
    const load = start()
    await load.more(20)
    replaced.databaseUrl = cluster.databaseUrlOf('customers')
    const databaseUrl = await createSecondRole(replaced.databaseUrl)
    for (const [step, secrets] of Object.entries(steps)) {
      load.enter(step)
      const changes = step === 'behind' ? {} : { customers: { DATABASE_URL: databaseUrl } }
      for (const name of rotated) {
        const set = name === 'gateway' ? cluster.gateways : cluster.services[name]
        await set.replaceEach('SIGTERM', {
          ...secretsOf(name, secrets),
          ...(name === 'customers' && changes.customers),
        })
      }
      await load.more(20)
      // Everything that the old secrets protect is replaced before they are removed.
      if (step === 'first') {
        Object.assign(replaced, { apiKey: credentials.apiKey, token: credentials.token })
        credentials.apiKey = await createApiKey()
        credentials.token = await mintToken()
        await load.more(20)
      }
    }
    await load.stop()
    const failed = load.outcomes.flatMap(({ phase, kind, failures }) =>
      failures.map((one) => `${phase} ${kind.name} ${one}`),
    )
    report('rotation', { seed: load.seed, requests: load.outcomes.length, failed: failed.length })
    expect(failed).toEqual([])
  })

  it('old secrets are rejected afterwards', async () => {
    const { apiKey, token, databaseUrl } = replaced
    const path = `/v1/stores/${store.id}/customers/${credentials.customerId}`
    expect((await request('GET', path, { authorization: `APIKey ${apiKey}` })).status).toBe(401)
    expect((await who(token)).status).toBe(401)
    expect((await who(credentials.token)).status).toBe(200)
    await onServer(cluster.address.adminUrl, (client) => client.query(`alter role ${roleOf(databaseUrl)} nologin`))
    await expect(onServer(databaseUrl, (client) => client.query('select'))).rejects.toThrow('not permitted to log in')
    await expect(listStores(old.calls)).rejects.toMatchObject({ code: 'service-unavailable' })
    expect((await listStores(next.calls)).stores.map(({ id }) => id)).toContain(store.id)
  })

  it('a gateway with the old call keys returns 503, never 401 or 403', async () => {
    const stale = await cluster.gateways.add({ CALL_KEYS: deriveCallKeys(old.calls, 'gateway') })
    cluster.balancer.remove(stale.url)
    for (const [path, headers] of requests()) {
      const response = await fetch(`${stale.url}${path}`, { headers })
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    }
    await cluster.gateways.end(stale)
  })
})

it('requests fail when a secret is replaced in one step (negative control)', async () => {
  const load = start()
  await cluster.services.stores.replaceEach('SIGTERM', {
    ...secretsOf('stores', [{ ...next, calls: newKey() }]),
  })
  await waitFor('a failed request', () => load.failures > 0, { timeoutMs: 60_000 })
  await load.stop()
})

type Secrets = Record<keyof typeof old, string>

/** The settings with a process's secrets; the first secret is in use. */
function secretsOf(name: (typeof rotated)[number], all: readonly Secrets[]): Record<string, string> {
  const list = (kind: keyof Secrets) => all.map((one) => one[kind]).join()
  return {
    CALL_KEYS: deriveCallKeys(list('calls'), name),
    ...(name === 'customers' && { TOKEN_KEYS: list('tokens') }),
    ...(name === 'stores' && { API_KEY_PEPPER: list('pepper') }),
  }
}

function newKey(): string {
  return randomBytes(32).toString('base64url')
}

function start() {
  const kind = (name: string, weight: number, make: RequestKind['make']): RequestKind => {
    return { name, weight, make, isRead: false, isKeyed: false, isMarked: false }
  }
  const path = `/v1/stores/${store.id}/customers`
  const asStore = () => ({ authorization: `APIKey ${credentials.apiKey}` })
  const kinds = [
    kind('customer by id', 4, () => ({ method: 'GET', path: `${path}/${credentials.customerId}`, headers: asStore() })),
    kind('who am I', 4, () => ({ method: 'GET', path: '/v1/store/customer', headers: asCustomer(credentials.token) })),
    kind('create customer', 2, (name) => ({ method: 'POST', path, headers: asStore(), json: { name } })),
    kind('create token', 2, () => ({
      method: 'POST',
      path: `${path}/${credentials.customerId}/tokens`,
      headers: asStore(),
      json: {},
    })),
  ]
  return startOpenLoop({ url: cluster.balancer.url, perSecond: 20, kinds, random: seededRandom() })
}

function requests(): [string, Record<string, string>][] {
  const path = `/v1/stores/${store.id}/customers/${credentials.customerId}`
  return [
    [path, { authorization: `APIKey ${credentials.apiKey}` }],
    ['/v1/store/customer', asCustomer(credentials.token)],
  ]
}

function asCustomer(token: string): Record<string, string> {
  return { authorization: `Customer ${token}`, 'x-service-store-id': store.id }
}

function request(method: string, path: string, headers: Record<string, string>) {
  return cluster.http.request(method, path, { headers })
}

function who(token: string) {
  return request('GET', '/v1/store/customer', asCustomer(token))
}

async function mintToken(): Promise<string> {
  const path = `/v1/stores/${store.id}/customers/${credentials.customerId}/tokens`
  const { body } = await cluster.http.request<{ token: string }>('POST', path, {
    headers: { authorization: `APIKey ${credentials.apiKey}` },
    json: {},
  })
  return body.token
}

/** Follows the documentation: a role has only one password, so two roles alternate. */
async function createSecondRole(url: string): Promise<string> {
  const [first, password] = [roleOf(url), newKey()]
  const second = `${first}_b`
  await onServer(cluster.address.adminUrl, async (client) => {
    await client.query(`create role ${second} login password '${password}' in role ${first}`)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const inDatabase = `alter role ${second} in database ${rows[0]?.name}`
    await client.query(`${inDatabase} set role = '${first}'`)
    await client.query(`${inDatabase} set search_path = customers, public`)
  })
  const changed = new URL(url)
  changed.username = second
  changed.password = password
  return changed.href
}

function roleOf(url: string): string {
  return new URL(url).username
}

/** Calls the newest replica of the stores service like the admin CLI does. */
async function asAdmin<T>(secret: string, call: (client: ReturnType<typeof storesClient>) => Promise<T>): Promise<T> {
  const identity = {
    name: 'admin-tools',
    tls: undefined,
    keys: parseCallKeys(deriveCallKeys(secret, 'admin-tools')),
  } as const
  const address = cluster.services.stores.replicas.at(-1)?.address ?? ''
  const transport = createGrpcTransport({ to: 'stores', address, identity: identity satisfies ProcessIdentity })
  try {
    return await call(storesClient(transport))
  } finally {
    transport.close()
  }
}

function storesClient(transport: Parameters<typeof createClient>[1]) {
  return createClient(StoresService, transport)
}

function listStores(secret: string) {
  return asAdmin(secret, (client) => client.listStores({}, callOptions()))
}

async function createApiKey(): Promise<string> {
  const request = { storeId: store.id, name: 'rotated', scopes: [] }
  const { key } = await asAdmin(next.calls, (client) => client.createApiKey(request, callOptions()))
  return key
}

function callOptions() {
  return {
    actor: { type: ActorType.ADMIN },
    requestId: 'rotation',
    traceparent: formatTraceparent(childContext()),
    deadlineMs: 30_000,
  }
}
