import { createHash } from 'node:crypto'
import { deriveCallKeys } from '@storekeep/common/crypto'
import { services as known, redisClients } from '@storekeep/local/services'
import { expect, it } from 'vitest'
import { codeServices, components, configReader, problemsOf } from './src/code.ts'
import { describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render, renderUncached } from './src/render.ts'

const services = codeServices.map(({ name }) => name)

describeWithHelm('secrets', async () => {
  const byValue = await render('default')
  const existing = await render('external')
  const generated = await render('bundled')

  it("secrets set by value appear only in the chart's Secret", () => {
    const { data } = byValue.one('Secret', 'shop-storekeep')
    expect(decode(data['stores.DATABASE_URL'])).toContain('stores-password')
    const others = JSON.stringify(byValue.objects.filter(({ kind }) => kind !== 'Secret'))
    for (const secret of ['password', 'AAAAAAAA']) expect(others).not.toContain(secret)
  })

  it('existing Secrets create no Secret', () => {
    expect(existing.all('Secret')).toEqual([])
  })

  it.each([
    ['stores', 'DATABASE_URL', 'storekeep-secrets/stores.DATABASE_URL'],
    ['stores', 'NATS_URL', 'storekeep-secrets/stores.NATS_URL'],
    ['stores', 'REDIS_URL', 'valkey/uri'],
    ['gateway', 'REDIS_URL', 'valkey/uri'],
    ['customers', 'DATABASE_URL', 'customers-database/uri'],
    ['customers', 'TOKEN_KEYS', 'storekeep-secrets/customers.TOKEN_KEYS'],
    ['customers', 'STEAM_API_KEY', 'steam/key'],
  ])('secrets of %s are read from the configured Secret: %s → %s', (component, setting, place) => {
    expect(existing.settings(component)[setting]).toBe(place)
  })

  it.each(components)('secrets of other components are not passed to %s', (component) => {
    const keys = (byValue.container(component).env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? '')
    expect(keys.filter((key) => key.includes('.') && !key.startsWith(`${component}.`))).toEqual([])
    expect(keys).not.toContain('DATABASE_ADMIN_URL')
  })

  it('the gateway receives only REDIS_URL and CALL_KEYS, the pages only CALL_KEYS', () => {
    expect(byValue.container('gateway').env?.map(({ name }) => name)).toEqual(['REDIS_URL', 'CALL_KEYS'])
    expect(byValue.container('pages').env?.map(({ name }) => name)).toEqual(['CALL_KEYS'])
  })

  it('call keys are derived from one secret, which no pod receives', async () => {
    const secret = byValue.one('Secret', 'shop-storekeep').data
    for (const name of [...known.map((service) => service.name), 'gateway', 'pages', 'admin-tools'] as const) {
      const keys = decode(secret[`${name}.CALL_KEYS`])
      expect(keys.split(',').sort()).toEqual(deriveCallKeys(decode(secret.CALL_SECRET), name).split(',').sort())
      expect(byValue.settings(name).CALL_KEYS).toBe(`shop-storekeep/${name}.CALL_KEYS`)
    }
    const pods = JSON.stringify(byValue.objects.filter(({ kind }) => kind !== 'Secret'))
    expect(pods).not.toContain('CALL_SECRET')
  })

  it('call keys accept two keys while the secret is replaced, which restarts the pods', async () => {
    const both = `${'K'.repeat(43)},J${'A'.repeat(42)}`
    const manifest = await render('default', { secrets: { CALL_SECRET: { value: both } } })
    const keys = decode(manifest.one('Secret', 'shop-storekeep').data['gateway.CALL_KEYS'])
    expect(keys.split(',').sort()).toEqual(deriveCallKeys(both, 'gateway').split(',').sort())
    const checksum = (one: Manifest) =>
      one.one('Deployment', 'shop-storekeep-bans').spec.template.metadata.annotations['checksum/secrets']
    expect(checksum(manifest)).not.toBe(checksum(byValue))
  })

  it('call keys are read from the configured Secret, and not used with TLS', async () => {
    const manifest = await render('minimal')
    expect(manifest.settings('bans').CALL_KEYS).toBe('storekeep-secrets/bans.CALL_KEYS')
    const own = await render('default', { secrets: { CALL_SECRET: { value: '', existingSecret: 'calls' } } })
    expect(own.settings('admin-tools').CALL_KEYS).toBe('calls/admin-tools.CALL_KEYS')
    expect(existing.settings('gateway').CALL_KEYS).toBeUndefined()
    const secret = (await render('default', { tls: { enabled: true, existingSecret: '{component}-tls' } })).one(
      'Secret',
      'shop-storekeep',
    )
    expect(Object.keys(secret.data).filter((key) => key.includes('CALL'))).toEqual([])
  })

  it("a service's secrets override shared ones", async () => {
    const own = { secrets: { NATS_URL: { value: 'nats://bans:own@nats:4222' } } }
    const manifest = await render('default', { services: { bans: own } })
    expect(manifest.settings('bans').NATS_URL).toBe('shop-storekeep/bans.NATS_URL')
    expect(manifest.settings('stores').NATS_URL).toBe('shop-storekeep/NATS_URL')
  })

  it('the key of a secret defaults to the name of the setting', async () => {
    const manifest = await render('default', {
      services: { bans: { secrets: { DATABASE_URL: { value: '', existingSecret: 'bans' } } } },
    })
    expect(manifest.settings('bans').DATABASE_URL).toBe('bans/DATABASE_URL')
  })

  it('optional secrets do not block startup', () => {
    const found = existing.container('customers').env?.find(({ name }) => name === 'STEAM_API_KEY')
    expect(found?.valueFrom?.secretKeyRef?.optional).toBe(true)
  })

  it.each(components)('secrets generated by the chart are valid for %s', async (component) => {
    const { data } = generated.one('Secret', 'shop-storekeep')
    const read = await configReader(component)
    const settings = Object.entries(generated.settings(component)).map(([name, value]) => {
      const [secret, key = ''] = value.split('/')
      return [name, secret === 'shop-storekeep' && data[key] ? decode(data[key]) : value]
    })
    expect(problemsOf(() => read(Object.fromEntries(settings)))).toEqual([])
  })

  it('generated by the chart are unique, and different in every installation', async () => {
    const { data, metadata } = generated.one('Secret', 'shop-storekeep')
    const again = (await renderUncached('bundled')).one('Secret', 'shop-storekeep').data
    const repeated = Object.keys(data).filter((key) => data[key] === again[key])
    expect([new Set(Object.values(data)).size, repeated]).toEqual([Object.keys(data).length, []])
    expect(metadata.annotations?.['helm.sh/resource-policy']).toBe('keep')
  })

  it('generated by the chart give every component separate users of NATS and Redis', () => {
    const { data } = generated.one('Secret', 'shop-storekeep')
    for (const [setting, clients] of [
      ['NATS', services],
      ['REDIS', redisClients.map(({ name }) => name)],
    ] as const) {
      const urls = clients.map((name) => new URL(decode(data[`${name}.${setting}_URL`])))
      expect(urls.map(({ username }) => username)).toEqual(clients)
      expect(urls.map(({ password }) => password)).toEqual(
        clients.map((name) => decode(data[`${name}.${setting}_PASSWORD`])),
      )
    }
    for (const { name } of redisClients) {
      const hash = createHash('sha256')
        .update(decode(data[`${name}.REDIS_PASSWORD`]))
        .digest('hex')
      expect(decode(data['redis-users.acl'])).toContain(`user ${name} on #${hash} `)
    }
  })

  it('generated by the chart give every service a separate role', () => {
    const { data } = generated.one('Secret', 'shop-storekeep')
    const roles = services.map((name) => new URL(decode(data[`${name}.DATABASE_URL`])).username)
    expect(roles).toEqual(services.map((name) => `storekeep_${name.replaceAll('-', '_')}`))
    const admin = new URL(decode(data.DATABASE_ADMIN_URL))
    expect([admin.hostname, admin.password]).toEqual(['shop-storekeep-postgres', decode(data['postgres.PASSWORD'])])
  })
})

function decode(encoded: string): string {
  return Buffer.from(encoded, 'base64').toString()
}
