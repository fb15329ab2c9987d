import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrateConfig } from '@storekeep/common/migrate'
import { ports } from '@storekeep/local/services'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig as readAdminConfig } from '../../services/admin-tools/src/config.ts'
import { codeServices, components, configReader, problemsOf, settingsRead } from './src/code.ts'
import { evaluate } from './src/evaluate.ts'
import { chart, describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))
const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))
const pay = 'https://pay.example.org'
/** Settings that make a config.ts read other settings. */
const conditional = { PROFILE_PROVIDERS: 'steam,mojang', CELLS: '0' }

describe('the values and their schema', () => {
  it('contain exactly the services of the code', () => {
    expect(Object.keys(values.services).sort()).toEqual(codeServices.map(({ name }) => name).sort())
  })

  it('have the ports of deploy/topology.ts as defaults', () => {
    const { serviceSettings, gateway, pages } = values
    expect(serviceSettings).toMatchObject({ GRPC_PORT: ports.grpc, METRICS_PORT: ports.metrics })
    expect(gateway.settings).toMatchObject({ PORT: ports.gateway, METRICS_PORT: ports.metrics })
    expect(pages.settings).toMatchObject({ PORT: ports.pages, METRICS_PORT: ports.metrics })
  })

  it.each(components)('have the same limits as the config.ts of %s', async (component) => {
    const read = settingsRead(await configReader(component), conditional)
    for (const [setting, rule] of settingRules(component)) {
      const problem = read.get(setting) ?? ''
      const [, from, to] = / from (\d+) to (\d+)$/.exec(problem) ?? []
      // The chart rejects port 0 (any free port) and privileged ports below 1024.
      const lowest = to === '65535' ? 1024 : Number(from)
      if (to) expect([setting, rule.minimum, rule.maximum]).toEqual([setting, lowest, Number(to)])
      const [, choices] = /must be one of (.+)$/.exec(problem) ?? []
      if (choices) expect([setting, rule.enum]).toEqual([setting, choices.split(', ')])
      if (rule.type === 'integer') expect([setting, to]).toEqual([setting, expect.any(String)])
    }
  })
})

describeWithHelm('settings of the pods', async () => {
  /** Uses the alternative of each choice that `complete` makes. */

  const nats = (auth: object) => ({
    auth: { existingSecret: 'user', ...auth },
    tls: { existingSecret: 'certificate' },
  })
  const external = {
    gateway: { settings: { TRUSTED_PROXIES: '10.0.0.0/8' } },
    pages: { settings: { COUNTRY_HEADER: 'CF-IPCountry' } },
    services: {
      checkout: { settings: { VAT_CHECK_URL: 'https://vat.example.org' } },
      customers: { settings: { MINECRAFT_AVATAR_URL: 'https://pictures.example.org/{uuid}' } },
      emails: { settings: { EMAIL_FROM: 'shop@example.org' } },
      webhooks: { settings: { WEBHOOKS_ALLOWED_NETWORKS: '10.7.0.0/16' } },
      images: { settings: { IMAGES_ALLOWED_NETWORKS: '10.7.0.0/16' } },
    },
    secrets: { DATABASE_ADMIN_URL: { existingSecret: 'admin' } },
    telemetry: { otlp: { endpoint: 'http://collector:4318' } },
  }
  const complete = await render('external', { ...external, nats: nats({ credsKey: 'creds' }) })
  const alternative = await render('external', { ...external, nats: nats({ nkeyKey: 'seed' }) })
  const byValue = await render('default')

  it.each(components)('pods get exactly the settings that the config.ts of %s reads', async (component) => {
    const read = settingsRead(await configReader(component), conditional)
    const given = new Set([complete, alternative].flatMap((one) => Object.keys(one.settings(component))))
    expect([...given].sort()).toEqual([...read.keys()].sort())
  })

  it.each(components)('the settings of %s are valid', async (component) => {
    const read = await configReader(component)
    expect(problemsOf(() => read(settingsOf(byValue, component)))).toEqual([])
  })

  it.each(components)('settings of %s default to the defaults of the code', async (component) => {
    const read = await configReader(component)
    const settings = { ...settingsOf(byValue, component), ...conditional, STEAM_API_KEY: 'key' }
    const whole = JSON.stringify(read(settings))
    for (const [name, value] of Object.entries(defaultsOf(component))) {
      if (clusterDefaults.has(name) || value === '') continue
      expect([name, JSON.stringify(read({ ...settings, [name]: undefined }))]).toEqual([name, whole])
    }
  })

  it('the migrations get exactly the settings that migrate.ts reads', () => {
    const [container] = complete.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    expect(container.env.map(({ name }: { name: string }) => name).sort()).toEqual(
      [...settingsRead(readMigrateConfig).keys()].sort(),
    )
  })

  it('the admin tools get exactly the settings that their config.ts reads', () => {
    const settings = [...settingsRead(readAdminConfig, conditional).keys()]
    expect(Object.keys(complete.settings('admin-tools')).sort()).toEqual(settings.sort())
  })

  it('numbers are written as integers, even if large', async () => {
    const values = { gateway: { settings: { RATE_LIMIT_API_KEY_PER_MINUTE: 1_000_000_000 } } }
    const path = '$root.Values.gateway.settings.RATE_LIMIT_API_KEY_PER_MINUTE'
    expect(await evaluate([{ values, expression: `include "storekeep.settingText" ${path}` }])).toEqual(['1000000000'])
  })

  it('services.<name>.settings override serviceSettings', async () => {
    const manifest = await render('default', {
      services: { bans: { settings: { LOG_LEVEL: 'debug', GRPC_PORT: 7000 } } },
    })
    expect(manifest.settings('bans')).toMatchObject({ LOG_LEVEL: 'debug', GRPC_PORT: '7000' })
    expect(manifest.settings('stores')).toMatchObject({ LOG_LEVEL: 'info', GRPC_PORT: '50051' })
    expect(manifest.settings('gateway').BANS_ADDRESS).toBe('dns:///shop-storekeep-bans:7000')
    expect(manifest.one('Service', 'shop-storekeep-bans').spec.ports[0].port).toBe(7000)
    expect(manifest.container('bans').readinessProbe.grpc.port).toBe(7000)
  })

  it.each([
    [{}, 'https://store.example.org/checkout', 'https://store.example.org/portal', 'https://store.example.org/store'],
    [{ pages: { publicBaseUrl: pay } }, `${pay}/checkout`, `${pay}/portal`, `${pay}/store`],
    [{ pages: { publicBaseUrl: `${pay}/` } }, `${pay}/checkout`, `${pay}/portal`, `${pay}/store`],
    [
      {
        pages: { publicBaseUrl: 'https://unused.example.org' },
        services: {
          checkout: { settings: { CHECKOUT_BASE_URL: pay } },
          customers: {
            settings: { PORTAL_BASE_URL: 'https://me.example.org/', STORE_BASE_URL: 'https://shop.example.org' },
          },
        },
      },
      pay,
      'https://me.example.org',
      'https://shop.example.org',
    ],
  ])(
    'give the services that create links and the pages the same URLs with %j',
    async (given, checkout, portal, store) => {
      const manifest = await render('default', given)
      for (const name of ['checkout', 'gateway', 'pages'])
        expect(manifest.settings(name).CHECKOUT_BASE_URL).toBe(checkout)
      for (const name of ['customers', 'pages']) expect(manifest.settings(name).PORTAL_BASE_URL).toBe(portal)
      for (const name of ['customers', 'pages']) expect(manifest.settings(name).STORE_BASE_URL).toBe(store)
    },
  )

  it.each([
    ['https://shop.example.org', 'https://pay.example.org', ['31536000', '31536000']],
    ['http://shop.example.org', 'https://pay.example.org', ['0', '31536000']],
    ['', 'http://pay.example.org', ['0', '0']],
  ])('turn on HSTS where the URLs "%s" and "%s" use TLS', async (publicBaseUrl, pagesUrl, expected) => {
    const manifest = await render('default', { publicBaseUrl, pages: { publicBaseUrl: pagesUrl } })
    expect(['gateway', 'pages'].map((name) => manifest.settings(name).HSTS_MAX_AGE_SECONDS)).toEqual(expected)
  })

  it('pass the maximum number of gateway pods to the rate limits', async () => {
    expect(byValue.settings('gateway').RATE_LIMIT_REPLICAS).toBe('2')
    expect((await render('ha')).settings('gateway').RATE_LIMIT_REPLICAS).toBe('12')
  })
})

/** Settings whose defaults differ in a cluster. */
const clusterDefaults = new Set(['GRPC_PORT', 'METRICS_PORT', 'SHUTDOWN_DELAY_MS', 'HSTS_MAX_AGE_SECONDS'])

function defaultsOf(component: string): Record<string, unknown> {
  if (isHttp(component)) return values[component].settings
  return { ...values.serviceSettings, ...values.services[component].settings }
}

/** The schema's rule for each setting of a component. */
function settingRules(component: string): [string, Rule][] {
  const { services, serviceSettings } = schema.properties
  const own = isHttp(component) ? schema.properties[component] : services.properties[component]
  const rules = {
    ...(isHttp(component) ? {} : serviceSettings.properties),
    ...own.properties.settings.properties,
  }
  return Object.entries<Rule>(rules).map(([name, rule]) => [name, resolve(rule)])
}

/** Serves no gRPC calls, so it has none of the service settings. */
function isHttp(component: string): boolean {
  return component === 'gateway' || component === 'pages'
}

function resolve(rule: Rule): Rule {
  return rule.$ref ? schema.definitions[rule.$ref.replace('#/definitions/', '')] : rule
}

/** The settings that the process receives, with decoded secrets. */
function settingsOf(manifest: Manifest, component: string): Record<string, string> {
  const settings = Object.entries(manifest.settings(component))
  return Object.fromEntries(settings.map(([name, value]) => [name, secretIn(manifest, value) ?? value]))
}

/** The value of `secret/key` if the chart creates that Secret. */
function secretIn(manifest: Manifest, place: string): string | undefined {
  const [name, key = ''] = place.split('/')
  const secret = manifest.all('Secret').find(({ metadata }) => metadata.name === name)
  return secret?.data[key] && Buffer.from(secret.data[key], 'base64').toString()
}

interface Rule {
  $ref?: string
  type?: string
  minimum?: number
  maximum?: number
  enum?: string[]
}
