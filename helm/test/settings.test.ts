import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrateConfig } from '@storekeep/common/migrate'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig as readAdminConfig } from '../../services/admin-tools/src/config.ts'
import {
  adminCalls,
  codeServices,
  components,
  configReader,
  gatewayCalls,
  problemsOf,
  settingsRead,
} from './src/code.ts'
import { chart, whyNoHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const catalogue: Record<string, Known> = parse(readFileSync(join(chart, 'files/services.yaml'), 'utf8'))
const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))
const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))
/** Settings on which it depends whether others are read. */
const everyone = { PROFILE_PROVIDERS: 'steam,mojang' }

describe('what the chart knows about the code', () => {
  it('is every service, and no other', () => {
    expect(Object.keys(catalogue).sort()).toEqual(codeServices.map(({ name }) => name).sort())
    expect(Object.keys(values.services).sort()).toEqual(codeServices.map(({ name }) => name).sort())
    expect(gatewayCalls).toEqual(codeServices.map(({ name }) => name).sort())
  })

  it.each(codeServices)(
    'is whom $name calls, whether it uses Redis, and which secrets it has',
    ({ name, calls, redis, secrets }) => {
      expect([...(catalogue[name]?.calls ?? [])].sort()).toEqual([...calls].sort())
      expect([...(catalogue[name]?.adminCalls ?? [])].sort()).toEqual(name === 'stores' ? adminCalls : [])
      expect(catalogue[name]?.redis ?? false).toBe(redis)
      expect([...(catalogue[name]?.secrets ?? [])].sort()).toEqual(Object.keys(secrets).sort())
    },
  )

  it.each(components)('is every limit that the config.ts of %s sets, and no other', async (component) => {
    const read = settingsRead(await configReader(component), everyone)
    for (const [setting, rule] of settingRules(component)) {
      const problem = read.get(setting) ?? ''
      const [, from, to] = / from (\d+) to (\d+)$/.exec(problem) ?? []
      // Port 0 takes a free one, which nobody would find in a cluster, and those below 1024 want rights that no pod has.
      const lowest = to === '65535' ? 1024 : Number(from)
      if (to) expect([setting, rule.minimum, rule.maximum]).toEqual([setting, lowest, Number(to)])
      const [, choices] = /must be one of (.+)$/.exec(problem) ?? []
      if (choices) expect([setting, rule.enum]).toEqual([setting, choices.split(', ')])
      if (rule.type === 'integer') expect([setting, to]).toEqual([setting, expect.any(String)])
    }
  })
})

describe.skipIf(whyNoHelm)(`settings in the rendered pods (${whyNoHelm ?? 'by Helm'})`, () => {
  let complete: Manifest
  let byValue: Manifest

  beforeAll(async () => {
    complete = await render('external', {
      gateway: { settings: { TRUSTED_PROXIES: '10.0.0.0/8' } },
      services: { customers: { settings: { MINECRAFT_AVATAR_URL: 'https://pictures.example.org/{uuid}' } } },
      secrets: { DATABASE_ADMIN_URL: { existingSecret: 'admin' } },
      telemetry: { otlp: { endpoint: 'http://collector:4318' } },
    })
    byValue = await render('default')
  })

  it.each(components)('are exactly those that the config.ts of %s reads', async (component) => {
    const read = settingsRead(await configReader(component), everyone)
    const admin = component === 'stores' ? settingsRead(readAdminConfig).keys() : []
    const expected = new Set([...read.keys(), ...admin])
    expect(Object.keys(complete.settings(component)).sort()).toEqual([...expected].sort())
  })

  it.each(components)('start %s', async (component) => {
    const read = await configReader(component)
    expect(problemsOf(() => read(settingsOf(byValue, component)))).toEqual([])
  })

  it.each(components)('of %s that nobody changed are what the code takes anyway', async (component) => {
    const read = await configReader(component)
    const settings = { ...settingsOf(byValue, component), ...everyone, STEAM_API_KEY: 'key' }
    const whole = JSON.stringify(read(settings))
    for (const [name, value] of Object.entries(defaultsOf(component))) {
      if (chosenHere.has(name) || value === '') continue
      expect([name, JSON.stringify(read({ ...settings, [name]: undefined }))]).toEqual([name, whole])
    }
  })

  it('of the migrations are exactly those that their program reads', () => {
    const [container] = complete.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    expect(container.env.map(({ name }: { name: string }) => name).sort()).toEqual(
      [...settingsRead(readMigrateConfig).keys()].sort(),
    )
  })

  it('let the admin command run in a pod of the stores and in that of the test', () => {
    const settings = [...settingsRead(readAdminConfig).keys()]
    const test = complete
      .one('Pod', 'shop-storekeep-test')
      .spec.containers[0].env.map(({ name }: { name: string }) => name)
    expect(Object.keys(complete.settings('stores'))).toEqual(expect.arrayContaining(settings))
    expect(test).toEqual(expect.arrayContaining(settings))
  })

  it('are whole numbers, however large', async () => {
    const manifest = await render('default', {
      gateway: { settings: { RATE_LIMIT_API_KEY_PER_MINUTE: 1_000_000_000 } },
    })
    expect(manifest.settings('gateway').RATE_LIMIT_API_KEY_PER_MINUTE).toBe('1000000000')
  })

  it('of one service win over those of all', async () => {
    const manifest = await render('default', {
      services: { bans: { settings: { LOG_LEVEL: 'debug', GRPC_PORT: 7000 } } },
    })
    expect(manifest.settings('bans')).toMatchObject({ LOG_LEVEL: 'debug', GRPC_PORT: '7000' })
    expect(manifest.settings('stores')).toMatchObject({ LOG_LEVEL: 'info', GRPC_PORT: '50051' })
    expect(manifest.settings('gateway').BANS_ADDRESS).toBe('dns:///shop-storekeep-bans:7000')
    expect(manifest.one('Service', 'shop-storekeep-bans').spec.ports[0].port).toBe(7000)
    expect(manifest.container('bans').readinessProbe.grpc.port).toBe(7000)
  })

  it('lead to pages below the public address unless they lead elsewhere', async () => {
    expect(byValue.settings('customers').PORTAL_BASE_URL).toBe('https://store.example.org/portal')
    const elsewhere = { services: { customers: { settings: { PORTAL_BASE_URL: 'https://me.example.org' } } } }
    expect((await render('default', elsewhere)).settings('customers').PORTAL_BASE_URL).toBe('https://me.example.org')
  })

  it('tell the gateway how many of its kind share a limit', async () => {
    expect(byValue.settings('gateway').RATE_LIMIT_REPLICAS).toBe('2')
    expect((await render('ha')).settings('gateway').RATE_LIMIT_REPLICAS).toBe('12')
  })
})

/** What a cluster needs otherwise than a process on its own. */
const chosenHere = new Set(['GRPC_PORT', 'METRICS_PORT', 'SHUTDOWN_DELAY_MS'])

function defaultsOf(component: string): Record<string, unknown> {
  if (component === 'gateway') return values.gateway.settings
  return { ...values.serviceSettings, ...values.services[component].settings }
}

/** The schema's rule for each setting of a component. */
function settingRules(component: string): [string, Rule][] {
  const { services, gateway, serviceSettings } = schema.properties
  const own = component === 'gateway' ? gateway : services.properties[component].allOf[1]
  const rules = {
    ...(component === 'gateway' ? {} : serviceSettings.properties),
    ...own.properties.settings.properties,
  }
  return Object.entries<Rule>(rules).map(([name, rule]) => [name, resolve(rule)])
}

function resolve(rule: Rule): Rule {
  return rule.$ref ? schema.definitions[rule.$ref.replace('#/definitions/', '')] : rule
}

/** The settings as the process gets them, secrets opened. */
function settingsOf(manifest: Manifest, component: string): Record<string, string> {
  const settings = Object.entries(manifest.settings(component))
  return Object.fromEntries(settings.map(([name, value]) => [name, secretIn(manifest, value) ?? value]))
}

/** The text behind `secret/key`, where the chart holds it. */
function secretIn(manifest: Manifest, place: string): string | undefined {
  const [name, key = ''] = place.split('/')
  const secret = manifest.all('Secret').find(({ metadata }) => metadata.name === name)
  return secret?.data[key] && Buffer.from(secret.data[key], 'base64').toString()
}

interface Known {
  adminCalls?: string[]
  calls?: string[]
  redis?: boolean
  secrets?: string[]
}

interface Rule {
  $ref?: string
  type?: string
  minimum?: number
  maximum?: number
  enum?: string[]
}
