import { beforeAll, describe, expect, it } from 'vitest'
import { codeServices, components, configReader, problemsOf } from './src/code.ts'
import { whyNoHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render, renderAnew } from './src/render.ts'

const services = codeServices.map(({ name }) => name)

describe.skipIf(whyNoHelm)(`secrets (${whyNoHelm ?? 'by Helm'})`, () => {
  let byValue: Manifest
  let elsewhere: Manifest
  let madeUp: Manifest

  beforeAll(async () => {
    byValue = await render('default')
    elsewhere = await render('external')
    madeUp = await render('bundled')
  })

  it('given by value are in the Secret of the chart and nowhere else', () => {
    const { data } = byValue.one('Secret', 'shop-storekeep')
    expect(open(data['stores.DATABASE_URL'])).toContain('stores-password')
    const others = JSON.stringify(byValue.objects.filter(({ kind }) => kind !== 'Secret'))
    for (const secret of ['password', 'AAAAAAAA']) expect(others).not.toContain(secret)
  })

  it('kept elsewhere make no Secret of the chart', () => {
    expect(elsewhere.all('Secret')).toEqual([])
  })

  it.each([
    ['stores', 'DATABASE_URL', 'storekeep-secrets/stores.DATABASE_URL'],
    ['stores', 'NATS_URL', 'storekeep-secrets/NATS_URL'],
    ['stores', 'REDIS_URL', 'valkey/uri'],
    ['gateway', 'REDIS_URL', 'valkey/uri'],
    ['customers', 'DATABASE_URL', 'customers-database/uri'],
    ['customers', 'TOKEN_KEYS', 'storekeep-secrets/customers.TOKEN_KEYS'],
    ['customers', 'STEAM_API_KEY', 'steam/key'],
  ])('of %s come from where they are kept: %s', (component, setting, place) => {
    expect(elsewhere.settings(component)[setting]).toBe(place)
  })

  it.each(components)('of others never reach %s', (component) => {
    const keys = (byValue.container(component).env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? '')
    expect(keys.filter((key) => key.includes('.') && !key.startsWith(`${component}.`))).toEqual([])
    expect(keys).not.toContain('DATABASE_ADMIN_URL')
  })

  it('of the gateway are the address of Redis alone', () => {
    expect(byValue.container('gateway').env?.map(({ name }) => name)).toEqual(['REDIS_URL'])
  })

  it('of one service win over those that all share', async () => {
    const own = { secrets: { NATS_URL: { value: 'nats://bans:own@nats:4222' } } }
    const manifest = await render('default', { services: { bans: own } })
    expect(manifest.settings('bans').NATS_URL).toBe('shop-storekeep/bans.NATS_URL')
    expect(manifest.settings('stores').NATS_URL).toBe('shop-storekeep/NATS_URL')
  })

  it('have the name of their setting as key where none is given', async () => {
    const manifest = await render('default', {
      services: { bans: { secrets: { DATABASE_URL: { value: '', existingSecret: 'bans' } } } },
    })
    expect(manifest.settings('bans').DATABASE_URL).toBe('bans/DATABASE_URL')
  })

  it('that some do without are no reason not to start', () => {
    const [, found] = (elsewhere.container('customers').env ?? [])
      .map((one) => one)
      .filter(({ name }) => ['REDIS_URL', 'STEAM_API_KEY'].includes(name))
    expect(found?.valueFrom?.secretKeyRef?.optional).toBe(true)
  })

  it.each(components)('that the chart makes up start %s', async (component) => {
    const { data } = madeUp.one('Secret', 'shop-storekeep')
    const read = await configReader(component)
    const settings = Object.entries(madeUp.settings(component)).map(([name, value]) => {
      const [secret, key = ''] = value.split('/')
      return [name, secret === 'shop-storekeep' && data[key] ? open(data[key]) : value]
    })
    expect(problemsOf(() => read(Object.fromEntries(settings)))).toEqual([])
  })

  it('that the chart makes up are all different, and new for every installation', async () => {
    const { data, metadata } = madeUp.one('Secret', 'shop-storekeep')
    const again = (await renderAnew('bundled')).one('Secret', 'shop-storekeep').data
    const kept = Object.keys(data).filter((key) => data[key] === again[key])
    expect([new Set(Object.values(data)).size, kept]).toEqual([Object.keys(data).length, []])
    expect(metadata.annotations?.['helm.sh/resource-policy']).toBe('keep')
  })

  it('that the chart makes up give every service a role of its own', () => {
    const { data } = madeUp.one('Secret', 'shop-storekeep')
    const roles = services.map((name) => new URL(open(data[`${name}.DATABASE_URL`])).username)
    expect(roles).toEqual(services.map((name) => `storekeep_${name.replaceAll('-', '_')}`))
    const admin = new URL(open(data.DATABASE_ADMIN_URL))
    expect([admin.hostname, admin.password]).toEqual(['shop-storekeep-postgres', open(data['postgres.PASSWORD'])])
  })
})

function open(encoded: string): string {
  return Buffer.from(encoded, 'base64').toString()
}
