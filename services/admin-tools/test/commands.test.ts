import { randomBytes } from 'node:crypto'
import { parseEnv } from 'node:util'
import { deriveCallKeys } from '@storekeep/common/crypto'
import { operator, randomId, spawnEntry, testCallSecret } from '@storekeep/common/testing'
import { callerNames, serverNames } from '@storekeep/proto/conventions/call-rights'
import { describe, expect, it } from 'vitest'
import { useAdmin } from './harness.ts'
import { failure, unreachable, usageError } from './run.ts'

const { admin, stores, storeIds, consumers } = useAdmin()

describe('stores and keys', () => {
  it('are created, listed and revoked', async () => {
    const slug = newSlug()
    const created = await admin(...createStore(slug), '--json')
    expect(created).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(created.stdout)).toMatchObject({
      slug,
      name: 'Isles',
      game: 'rust',
      currency: 'eur',
      logo_url: null,
    })

    const options = ['--name', 'x', '--scopes', 'customers:read, bans:write', '--expires-at=2099-01-31', '--json']
    const record = JSON.parse((await admin('create-key', '--store', slug, ...options)).stdout)
    expect(record).toMatchObject({ scopes: ['bans:write', 'customers:read'], expires_at: '2099-01-31T00:00:00.000Z' })
    const verified = await stores().client.verifyApiKey({ key: record.key }, operator())
    expect(verified.keyId).toBe(record.id)

    const revoked = JSON.parse((await admin('revoke-key', '--key', record.id, '--json')).stdout)
    expect(revoked).toMatchObject({ id: record.id, revoked_at: expect.stringContaining('T') })
    const listed = JSON.parse((await admin('list-keys', '--store', slug, '--json')).stdout)
    expect(listed).toMatchObject([{ id: record.id, revoked_at: revoked.revoked_at }])
    expect(listed[0]).not.toHaveProperty('key')
  })

  it('change their name, logos and accent color, each alone', async () => {
    const { slug } = await createTestStore()
    const update = (...options: string[]) => admin('update-store', '--store', slug, ...options, '--json')
    const read = async (...options: string[]) => JSON.parse((await update(...options)).stdout)
    const logos = { logo_url: 'https://cdn.example/wide.png', logo_square_url: 'https://cdn.example/square.png' }
    expect(await read('--accent-color', '#B45309')).toMatchObject({ slug, accent_color: '#b45309' })
    expect(await read('--name', 'Rustier Isles')).toMatchObject({ name: 'Rustier Isles', accent_color: '#b45309' })
    expect(await read('--logo-url', logos.logo_url, '--logo-square-url', logos.logo_square_url)).toMatchObject(logos)
    expect(await read('--logo-url', '', '--accent-color', '')).toMatchObject({
      ...logos,
      logo_url: null,
      accent_color: null,
      name: 'Rustier Isles',
    })
    expect((await update('--accent-color', 'orange')).stderr).toMatch(/^error: --accent-color must be "#" and six/)
    expect((await update('--name', '')).stderr).toMatch(/^error: --name is required/)
    expect((await update('--logo-url', 'x')).stderr).toMatch(/^error: --logo-url must be an absolute http or https URL/)
    expect((await update()).stderr).toMatch(/^error: Nothing to change: add --name/)
  })

  it('change every other detail', async () => {
    const { slug } = await createTestStore()
    const update = (options: Record<string, string>) =>
      admin(
        'update-store',
        '--store',
        slug,
        ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
        '--json',
      )
    const options = {
      description: 'Kits and ranks',
      'icon-url': 'https://cdn.example/icon.png',
      'website-url': 'https://isles.example',
      'support-email': 'help@isles.example',
      'reply-to': 'reply@isles.example',
      'terms-url': 'https://isles.example/terms',
      'privacy-url': 'https://isles.example/privacy',
      'refunds-url': 'https://isles.example/refunds',
      'seller-name': 'Isles GmbH',
      'seller-address': 'Weg 1\\n10115 Berlin',
      'seller-tax-id': 'DE123456789',
      'seller-register': 'HRB 1',
      'time-zone': 'Europe/Berlin',
      'tax-mode': 'inclusive',
      'tax-provider': 'registrations',
      'store-page': 'on',
    }
    const lists = {
      'tax-registrations': 'DE:19:VAT,CH:8.1:MwSt: CH,AT::USt',
      'disabled-emails': 'refund, payment_failed',
    }
    const byField = (values: object) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replaceAll('-', '_'), value]))
    expect(JSON.parse((await update({ ...options, ...lists })).stdout)).toMatchObject({
      slug,
      ...byField(options),
      tax_registrations: ['DE:19:VAT', 'CH:8.1:MwSt: CH', 'AT::USt'],
      disabled_emails: ['refund', 'payment_failed'],
    })
    const empty = { 'seller-name': '', 'time-zone': '', 'tax-registrations': '', 'disabled-emails': '' }
    expect(JSON.parse((await update(empty)).stdout)).toMatchObject({
      ...byField({ ...options, 'seller-name': null, 'time-zone': 'UTC' }),
      tax_registrations: [],
      disabled_emails: [],
    })
    for (const [name, value, message] of [
      ['terms-url', '/terms', 'must be an absolute http or https URL without credentials.'],
      ['tax-registrations', 'CH::VAT', 'is required outside of the European Union.'],
      ['tax-registrations', 'DE', 'must be a list such as "DE:19:VAT,CH:8.1:VAT,AT::USt".'],
      ['tax-mode', 'some', 'must be one of none, inclusive, exclusive.'],
      ['store-page', '', 'must be on or off.'],
    ] as const) {
      expect(await update({ [name]: value })).toEqual(failure(`--${name} ${message}`))
    }
  })

  it('are listed as a table and as JSON', async () => {
    const store = await createTestStore()
    const table = await admin('list-stores')
    expect(table.stdout.split('\n')[0]).toMatch(/^ID +CELL +SLUG +NAME +GAME +CURRENCY/)
    expect(table.stdout).toContain(store.id)
    const list = JSON.parse((await admin('list-stores', '--json')).stdout)
    expect(list).toContainEqual(expect.objectContaining(store))
  })

  it('shows a new key once', async () => {
    const { id } = await createTestStore()
    const { stdout } = await admin('create-key', '--store', id, '--name', 'help')
    expect(stdout).toMatch(/^name +help$/m)
    expect(stdout).toMatch(/^key +skapi_[A-Za-z0-9]{62}$/m)
    expect(stdout).toContain('shown only once')
    expect((await admin('list-keys', '--store', id)).stdout).not.toContain('skapi_')
  })
})

describe('operations', () => {
  it('signs out the customers of a store', async () => {
    storeIds.length = 0
    const { id, slug } = await createTestStore()
    const { stdout } = await admin('revoke-store-tokens', '--store', slug, '--json')
    expect(JSON.parse(stdout)).toEqual({ store_id: id, slug, token_epoch: 7 })
    expect(storeIds).toEqual([id])
  })

  it('records payments of checkout sessions and cancels sessions', async () => {
    const { id: store, slug } = await createTestStore()
    const session = randomId()
    const { stdout } = await admin('complete-checkout', '--store', slug, '--session', session, '--json')
    expect(JSON.parse(stdout)).toEqual({
      id: '9',
      store_id: store,
      checkout_id: session,
      customer_id: '7',
      order_id: '8',
      status: 'succeeded',
      settlement: 'completed',
      currency: 'eur',
      amount: 1998,
    })
    expect(await admin('cancel-checkout', '--store', slug, '--session', session)).toEqual(
      failure('The checkout session is completed.'),
    )
    expect(await admin('complete-checkout', '--store', slug, '--session', 'x')).toEqual(
      failure('--session must be an id.'),
    )
  })

  it('replays the dead letters of a service or of one of its consumers', async () => {
    consumers.length = 0
    const replay = async (...args: string[]) =>
      JSON.parse((await admin('replay-dead-letters', '--json', ...args)).stdout)
    expect(await replay('--service', 'coupons', '--consumer', 'one')).toEqual({
      service: 'coupons',
      consumer: 'one',
      replayed: 2,
      failed: 1,
    })
    expect(await replay('--service', 'coupons')).toMatchObject({ service: 'coupons', consumer: null, replayed: 2 })
    expect(consumers).toEqual(['one', undefined])
    expect(await replay('--service', 'stores')).toMatchObject({ replayed: 0, failed: 0 })
    expect(await admin('replay-dead-letters', '--service', 'shop')).toEqual(
      failure(
        '--service must be one of stores, customers, bans, coupons, checkout, delivery, emails, webhooks, images, search.',
      ),
    )
  })
})

describe('errors', () => {
  it('name the option of every invalid value', async () => {
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
        'error: --slug may contain a-z, 0-9 and single hyphens between them.',
        'error: --game must be one of rust, minecraft, minecraft_offline, minecraft_geyser.',
        'error: --currency must be an ISO 4217 currency code.',
      ],
    })
    expect(await admin('revoke-key', '--key', 'x')).toEqual(failure('--key must be an id.'))
    const { id } = await createTestStore()
    expect((await admin('create-key', '--store', id, '--name', 'x', '--scopes', 'all')).stderr).toMatch(
      /^error: --scopes must be one of affiliate-links:read, /,
    )
  })

  it('errors of the service are printed as one sentence', async () => {
    const { slug } = await createTestStore()
    expect(await admin(...createStore(slug))).toEqual(failure('Another store has this slug.'))
    expect(await admin('revoke-key', '--key', '411486491630370816')).toEqual(failure('There is no such API key.'))
    const { stderr } = await admin('list-keys', '--store', 'nowhere')
    expect(stderr).toMatch(/^error: No store has the id or slug "nowhere"\. Stores: \S/)
  })

  it('usage errors say what is wrong', async () => {
    expect(await admin('frobnicate')).toEqual(usageError("unknown command 'frobnicate'"))
    expect(await admin('list-key')).toEqual(usageError("unknown command 'list-key'\n(Did you mean list-keys?)"))
    expect(await admin('list-keys', '--store', 'a', '--stores', 'b')).toEqual(
      usageError("unknown option '--stores'\n(Did you mean --store?)", 'list-keys'),
    )
    expect(await admin('list-keys')).toEqual(
      usageError("required option '--store <id or slug>' not specified", 'list-keys'),
    )
    expect(await admin('create-key', '--store', 'a', '--name', 'b', '--expires-at', 'soon')).toEqual(
      failure('--expires-at must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z.'),
    )
    expect(await admin('create-key', '--store', 'a', '--name', 'b', '--scopes', ',')).toEqual(
      failure('--scopes must name at least one scope.'),
    )
  })
})

describe('the help', () => {
  it('is printed for no arguments, -h, --help and help', async () => {
    const overview = await admin('--help')
    expect(overview).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Commands:') })
    for (const args of [[], ['-h'], ['help']]) expect(await admin(...args)).toEqual(overview)
    const help = await admin('create-key', '--help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('Usage: npm run admin -- create-key')
    expect(await admin('help', 'create-key')).toEqual(help)
    expect(await admin('create-key', '--store', 'x', '-h')).toEqual(help)
  })
})

describe('the process', () => {
  const nowhere = {
    STORES_ADDRESS: unreachable,
    CUSTOMERS_ADDRESS: unreachable,
    BANS_ADDRESS: unreachable,
    COUPONS_ADDRESS: unreachable,
    CHECKOUT_ADDRESS: unreachable,
    ORDERS_ADDRESS: unreachable,
    DELIVERY_ADDRESS: unreachable,
    EMAILS_ADDRESS: unreachable,
    WEBHOOKS_ADDRESS: unreachable,
    IMAGES_ADDRESS: unreachable,
    SEARCH_ADDRESS: unreachable,
    CALL_KEYS: deriveCallKeys(testCallSecret, 'admin-tools'),
  }
  const spawn = (args: string[], env: Record<string, string>) =>
    spawnEntry(new URL('../src/main.ts', import.meta.url), args, env).exited

  it('prints results to stdout, and errors to stderr with exit code 1', async () => {
    const store = await createTestStore()
    const settings = { ...nowhere, STORES_ADDRESS: stores().address }
    const [list, rejection] = await Promise.all([
      spawn(['list-stores', '--json'], settings),
      spawn(['list-keys', '--store', 'nowhere'], settings),
    ])
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(list.stdout)).toContainEqual(expect.objectContaining(store))
    expect(rejection).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^error: No store has /) })
  })

  it('reports an unreachable service and missing settings', async () => {
    const [down, unset] = await Promise.all([spawn(['list-stores'], nowhere), spawn(['list-stores'], {})])
    expect(down).toEqual(
      failure('The stores service at 127.0.0.1:1 is unreachable or not ready. Is Storekeep running?'),
    )
    expect(unset).toEqual(failure(`Invalid settings: ${Object.keys(nowhere).join(' is missing; ')} is missing.`))
  })

  it('reports a service that rejects its keys', async () => {
    const CALL_KEYS = deriveCallKeys(`another-${testCallSecret}`, 'admin-tools')
    const rejected = await spawn(['list-stores'], { ...nowhere, STORES_ADDRESS: stores().address, CALL_KEYS })
    const { address } = stores()
    expect(rejected).toEqual(
      failure(
        `The stores service at ${address} rejected the call. Do CALL_KEYS or the certificate belong to admin-tools?`,
      ),
    )
  })

  it('prints the keys of every process, derived from one secret', async () => {
    const script = new URL('../src/create-call-keys.ts', import.meta.url)
    const [one, other] = await Promise.all([spawnEntry(script, [], {}).exited, spawnEntry(script, [], {}).exited])
    const printed = parseEnv(one.stdout)
    expect(printed['bans.CALL_KEYS']).toBe(deriveCallKeys(printed.CALL_SECRET ?? '', 'bans'))
    const processes = new Set([...callerNames, ...serverNames])
    const names = ['CALL_SECRET', ...[...processes].map((name) => `${name}.CALL_KEYS`)]
    expect(Object.keys(printed).toSorted()).toEqual(names.toSorted())
    expect(parseEnv(other.stdout).CALL_SECRET).not.toBe(printed.CALL_SECRET)
    const again = await spawnEntry(script, [], { CALL_SECRET: printed.CALL_SECRET ?? '' }).exited
    expect(again.stdout).toBe(one.stdout)
  })

  it('prints its help without any settings', async () => {
    const [overview, help] = await Promise.all([spawn([], {}), spawn(['create-key', '--help'], {})])
    expect(overview).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Commands:') })
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Examples:') })
  })
})

async function createTestStore(): Promise<{ id: string; slug: string }> {
  const { stdout } = await admin(...createStore(newSlug()), '--json')
  const { id, slug } = JSON.parse(stdout)
  return { id, slug }
}

function createStore(slug: string): string[] {
  return ['create-store', '--slug', slug, '--name', 'Isles', '--game', 'rust', '--currency', 'eur']
}

function newSlug(): string {
  return `store-${randomBytes(6).toString('hex')}`
}
