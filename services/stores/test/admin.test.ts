import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { bind, type Call, createGrpcServer, type GrpcServer, type Handlers } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createMetrics } from '@storekeep/common/telemetry'
import { type Exit, operator, randomId, spawnEntry, useFakeService } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readInvocation } from '../src/admin/config.ts'
import { runAdmin } from '../src/admin/run.ts'
import { createTestStore, storeRequest, useStores } from './harness.ts'

const stores = useStores()
const checkout = useFakeService(CheckoutService, {
  completeCheckoutSession: async ({ checkoutId }, call) => ({
    session: { id: requireFlakeId('checkout_id', checkoutId), ...sessionOf(call, CheckoutSessionStatus.COMPLETED) },
  }),
  cancelCheckoutSession: async (_request, call) => {
    if (call.storeId !== undefined) throw errors.conflict('The checkout session is completed.')
    return {}
  },
})
const sessionOf = ({ storeId = '' }: Call, status: CheckoutSessionStatus) => ({
  storeId,
  customerId: '7',
  status,
  currency: 'eur',
  totalAmount: 1998n,
})
let customers: { server: GrpcServer; address: string; storeIds: (string | undefined)[] }

beforeAll(async () => {
  customers = await fakeCustomers()
})
afterAll(() => customers.server.stop(0))

/** Runs the command in this process; what the process around it adds has a test of its own below. */
async function admin(...args: string[]): Promise<Exit> {
  let stdout = ''
  let stderr = ''
  const code = await runAdmin(args, {
    config: () => ({
      stores: stores.running.address,
      customers: customers.address,
      coupons: unreachable,
      checkout: checkout.address,
      search: unreachable,
      tls: undefined,
    }),
    invocation: readInvocation({ npm_lifecycle_event: 'admin' }),
    out: (text) => {
      stdout += text
    },
    err: (text) => {
      stderr += text
    },
  })
  return { code, stdout, stderr }
}

const unreachable = '127.0.0.1:1'
const failure = (line: string) => ({ code: 1, stdout: '', stderr: `${line}\n` })

describe('npm run admin', () => {
  it('makes a store, a key that works, and revokes it', async () => {
    const { slug = '' } = storeRequest()
    const made = await admin(
      'create-store',
      '--slug',
      slug,
      '--name',
      'Isles',
      '--game',
      'rust',
      '--currency',
      'eur',
      '--json',
    )
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({
      slug,
      name: 'Isles',
      game: 'rust',
      currency: 'eur',
      logo_url: null,
    })

    const scopes = 'customers:read, bans:write'
    const key = await admin(
      'create-key',
      '--store',
      slug,
      '--name',
      'x',
      '--scopes',
      scopes,
      '--expires-at=2099-01-31',
      '--json',
    )
    const record = JSON.parse(key.stdout)
    expect(record).toMatchObject({ scopes: ['bans:write', 'customers:read'], expires_at: '2099-01-31T00:00:00.000Z' })
    const verified = await stores.client.verifyApiKey({ key: record.key }, operator())
    expect(verified.keyId).toBe(record.id)

    const revoked = await admin('revoke-key', '--key', record.id, '--json')
    expect(JSON.parse(revoked.stdout)).toMatchObject({ id: record.id, revoked_at: expect.stringContaining('T') })
    const listed = JSON.parse((await admin('list-keys', '--store', slug, '--json')).stdout)
    expect(listed).toMatchObject([{ id: record.id, revoked_at: JSON.parse(revoked.stdout).revoked_at }])
    expect(listed[0]).not.toHaveProperty('key')
  })

  it('lists the stores as a table and as JSON', async () => {
    const store = await createTestStore(stores)
    const table = await admin('list-stores')
    expect(table.stdout.split('\n')[0]).toMatch(/^ID +SLUG +NAME +GAME +CURRENCY/)
    expect(table.stdout).toContain(store.id)
    const list = JSON.parse((await admin('list-stores', '--json')).stdout)
    expect(list).toContainEqual(expect.objectContaining({ id: store.id, slug: store.slug }))
  })

  it('shows a new key to people too, once', async () => {
    const store = await createTestStore(stores)
    const { stdout } = await admin('create-key', '--store', store.id, '--name', 'help')
    expect(stdout).toMatch(/^name +help$/m)
    expect(stdout).toMatch(/^key +skapi_[A-Za-z0-9]{62}$/m)
    expect(stdout).toContain('shown this once')
    const { stdout: list } = await admin('list-keys', '--store', store.id)
    expect(list).not.toContain('skapi_')
  })

  it('signs the customers of a store out', async () => {
    const store = await createTestStore(stores)
    const { stdout } = await admin('revoke-store-tokens', '--store', store.slug, '--json')
    expect(JSON.parse(stdout)).toEqual({ store_id: store.id, slug: store.slug, token_epoch: 7 })
    expect(customers.storeIds).toContain(store.id)
  })

  it('says for a payment provider what became of a checkout session', async () => {
    const { id: store, slug } = await createTestStore(stores)
    const session = randomId()
    const { stdout } = await admin('complete-checkout', '--store', slug, '--session', session, '--json')
    expect(JSON.parse(stdout)).toEqual({
      id: session,
      store_id: store,
      customer_id: '7',
      status: 'completed',
      currency: 'eur',
      total_amount: 1998,
      created_at: null,
      completed_at: null,
      canceled_at: null,
    })
    expect(await admin('cancel-checkout', '--store', slug, '--session', session)).toEqual(
      failure('The checkout session is completed.'),
    )
    expect(await admin('complete-checkout', '--store', slug, '--session', 'x')).toEqual(
      failure('--session must be an id.'),
    )
  })

  it('has a service take again the events that it gave up, all or those of a consumer', async () => {
    for (const [consumer, id] of [
      ['one', 'a'],
      ['one', 'b'],
      ['other', 'a'],
    ]) {
      await stores.database.query(sql`
        insert into dead_letter (consumer, message_id, subject, headers, payload, deliveries, error)
        values (${consumer}, ${id}, ${`${stores.config.events.stream.toLowerCase()}.test`}, '{}', '', 8, 'why')`)
    }
    const replay = async (...args: string[]) => {
      const { stdout } = await admin('replay-dead-letters', '--service', 'stores', '--json', ...args)
      return JSON.parse(stdout)
    }
    expect(await replay('--consumer', 'other')).toEqual({ service: 'stores', consumer: 'other', replayed: 1 })
    expect(await replay()).toEqual({ service: 'stores', consumer: null, replayed: 2 })
    expect(await replay()).toMatchObject({ replayed: 0 })
    expect(await admin('replay-dead-letters', '--service', 'shop')).toEqual(
      failure('--service must be one of stores, customers, coupons, checkout, search.'),
    )
  })

  it('says of each flag what is wrong with its value', async () => {
    const { code, stderr } = await admin(
      'create-store',
      '--slug',
      'A',
      '--name',
      'x',
      '--game',
      'chess',
      '--currency',
      'euro',
    )
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 1,
      lines: [
        '--slug may hold a-z, 0-9 and, between these, single hyphens.',
        '--game must be one of rust, minecraft, minecraft_offline, minecraft_geyser.',
        '--currency must be an ISO 4217 currency code.',
      ],
    })
    expect(await admin('revoke-key', '--key', 'x')).toEqual(failure('--key must be an id.'))
    const { id } = await createTestStore(stores)
    expect(await admin('create-key', '--store', id, '--name', 'x', '--scopes', 'all')).toMatchObject({
      stderr: expect.stringMatching(/^--scopes must be one of affiliate-links:read, /),
    })
  })

  it('prints what the service refuses as one sentence', async () => {
    const { slug } = await createTestStore(stores)
    const again = await admin('create-store', '--slug', slug, '--name', 'x', '--game', 'rust', '--currency', 'eur')
    expect(again).toEqual(failure('Another store has this slug.'))
    expect(await admin('revoke-key', '--key', '411486491630370816')).toEqual(failure('There is no such API key.'))
    expect(await admin('list-keys', '--store', 'nowhere')).toEqual(
      failure('There is no store with the id or slug "nowhere".'),
    )
  })

  it('answers arguments that it cannot read with one line', async () => {
    expect(await admin('frobnicate')).toEqual(
      failure(
        'There is no command "frobnicate". The commands are create-store, list-stores, create-key, list-keys, revoke-key, revoke-store-tokens, complete-checkout, cancel-checkout, replay-dead-letters, rebuild-search, verify-search.',
      ),
    )
    expect(await admin('list-keys', '--shop', 'x')).toEqual(
      failure('list-keys has no flag --shop. Its flags are --store, --json, --help.'),
    )
    expect(await admin('list-keys')).toEqual(failure('list-keys needs --store <id or slug>.'))
    expect(await admin('create-key', '--store', 'a', '--name', 'b', '--expires-at', 'soon')).toEqual(
      failure('--expires-at must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z.'),
    )
    expect(await admin('create-key', '--store', 'a', '--name', 'b', '--scopes', ',')).toEqual(
      failure('--scopes must name at least one scope.'),
    )
  })
})

describe('the help of npm run admin', () => {
  it('may be asked for in any way', async () => {
    const overview = await admin('--help')
    expect(overview.stdout).toContain('Commands:')
    for (const args of [[], ['-h'], ['help'], ['help', 'frobnicate']]) expect(await admin(...args)).toEqual(overview)
    const help = await admin('create-key', '--help')
    expect(help.stdout).toContain('Usage: npm run admin -- create-key')
    expect(await admin('help', 'create-key')).toEqual(help)
    expect(await admin('create-key', '--store', 'x', '-h')).toEqual(help)
  })
})

describe('the process of npm run admin', () => {
  const nowhere = {
    STORES_ADDRESS: unreachable,
    CUSTOMERS_ADDRESS: unreachable,
    COUPONS_ADDRESS: unreachable,
    CHECKOUT_ADDRESS: unreachable,
    SEARCH_ADDRESS: unreachable,
  }
  const settings = () => ({
    ...nowhere,
    STORES_ADDRESS: stores.running.address,
    CUSTOMERS_ADDRESS: customers.address,
  })
  const run = (args: string[], env: Record<string, string>) =>
    spawnEntry(new URL('../src/admin.ts', import.meta.url), args, env).exited

  it('answers on stdout, and refuses on stderr with exit code 1', async () => {
    const store = await createTestStore(stores)
    const [list, refusal] = await Promise.all([
      run(['list-stores', '--json'], settings()),
      run(['list-keys', '--store', 'nowhere'], settings()),
    ])
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(list.stdout)).toContainEqual(expect.objectContaining({ id: store.id }))
    expect(refusal).toEqual(failure('There is no store with the id or slug "nowhere".'))
  })

  it('says so when nothing runs, or nobody says where', async () => {
    const [nothing, unknown] = await Promise.all([run(['list-stores'], nowhere), run(['list-stores'], {})])
    expect(nothing).toEqual(
      failure('The stores service at 127.0.0.1:1 does not answer or is not ready. Is Storekeep running?'),
    )
    expect(unknown).toEqual(failure(`Wrong settings: ${Object.keys(nowhere).join(' is missing; ')} is missing.`))
  })

  it('explains itself and its commands, without any settings', async () => {
    const [overview, help] = await Promise.all([run([], {}), run(['create-key', '--help'], {})])
    expect(overview).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Commands:') })
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Examples:') })
  })
})

async function fakeCustomers() {
  const storeIds: (string | undefined)[] = []
  const unused = () => Promise.reject(errors.internal(new Error('not part of this test')))
  const handlers = {
    ...(Object.fromEntries(Object.keys(CustomersService.method).map((name) => [name, unused])) as unknown as Handlers<
      typeof CustomersService
    >),
    revokeStoreTokens: async (_request: unknown, call: { storeId: string | undefined }) => {
      storeIds.push(call.storeId)
      return { tokenEpoch: 7 }
    },
  }
  const server = createGrpcServer({
    services: [bind(CustomersService, handlers)],
    log: createLogger({ service: 'customers', level: 'silent' }),
    metrics: createMetrics({ service: 'customers' }),
    ready: async () => true,
  })
  return { server, address: `127.0.0.1:${await server.listen('127.0.0.1', 0)}`, storeIds }
}
