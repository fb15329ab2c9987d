import { beforeAll, expect, it } from 'vitest'
import { evaluate } from './src/evaluate.ts'
import { describeWithHelm } from './src/helm.ts'
import { render, renderError } from './src/render.ts'
import { type Scenario, scenarios } from './src/values.ts'

const autoscaling = (values: object) => ({ services: { bans: { autoscaling: { enabled: true, ...values } } } })

/** Values that match the schema but are invalid in combination, and part of the error. */
const invalidCombinations: [scenario: Scenario, values: object, error: string][] = [
  [
    'external',
    { gateway: { settings: { TRUSTED_PROXIES: '' } } },
    'gateway.settings.TRUSTED_PROXIES is empty but an Ingress or HTTPRoute is enabled',
  ],
  [
    'ha',
    { gateway: { settings: { TRUSTED_PROXIES: '' } } },
    'gateway.settings.TRUSTED_PROXIES is empty but an Ingress or HTTPRoute is enabled',
  ],
  [
    'default',
    { defaults: { replicas: 1 } },
    'services.bans runs 1 pods and its podDisruptionBudget requires 1 available, so nodes can never be drained',
  ],
  ['default', { gateway: { replicas: 1 } }, 'gateway runs 1 pods and its podDisruptionBudget requires 1 available'],
  [
    'default',
    autoscaling({ minReplicas: 1 }),
    'services.bans runs 1 pods and its podDisruptionBudget requires 1 available',
  ],
  [
    'default',
    { defaults: { podDisruptionBudget: { minAvailable: '100%' } } },
    'services.bans runs 2 pods and its podDisruptionBudget requires 2 available',
  ],
  [
    'default',
    { defaults: { podDisruptionBudget: { minAvailable: '51%' } } },
    'services.bans runs 2 pods and its podDisruptionBudget requires 2 available',
  ],
  [
    'default',
    { gateway: { replicas: 1, podDisruptionBudget: { minAvailable: '50%' } } },
    'gateway runs 1 pods and its podDisruptionBudget requires 1 available, so nodes can never be drained',
  ],
  [
    'default',
    { telemetry: { otlp: { endpoint: 'http://collector:4317' } } },
    'telemetry.otlp.endpoint has port 4317, which is OTLP over gRPC',
  ],
  [
    'default',
    autoscaling({ minReplicas: 9, maxReplicas: 3 }),
    'services.bans.autoscaling.minReplicas is greater than maxReplicas.',
  ],
  [
    'default',
    { ...autoscaling({}), defaults: { resources: { requests: { cpu: null } } } },
    'services.bans.autoscaling targets a percentage of the requested CPU, but resources.requests.cpu is not set.',
  ],
  [
    'default',
    { defaults: { updateStrategy: { maxSurge: 0 } } },
    'services.bans.updateStrategy sets both maxUnavailable and maxSurge to 0',
  ],
  [
    'default',
    { defaults: { updateStrategy: { maxSurge: '0%', maxUnavailable: '0%' } } },
    'services.bans.updateStrategy sets both maxUnavailable and maxSurge to 0',
  ],
  [
    'default',
    { services: { stores: { secrets: { ENCRYPTION_KEY: { value: '' } } } } },
    'services.stores.secrets.ENCRYPTION_KEY is missing: set existingSecret',
  ],
  [
    'default',
    { services: { customers: { secrets: { DATABASE_URL: { value: '' } } } } },
    'services.customers.secrets.DATABASE_URL is missing: set existingSecret',
  ],
  ['default', { secrets: { NATS_URL: { value: '' } } }, 'secrets.NATS_URL is missing: set existingSecret'],
  ['default', { secrets: { REDIS_URL: { value: '' } } }, 'secrets.REDIS_URL is missing: set existingSecret'],
  [
    'default',
    { secrets: { REDIS_URL: { existingSecret: 'redis' } } },
    'secrets.REDIS_URL has both value and existingSecret; remove one of them.',
  ],
  [
    'default',
    { services: { stores: { secrets: { DATABASE_URL: { existingSecret: 'x' } } } } },
    'services.stores.secrets.DATABASE_URL has both value and existingSecret; remove one of them.',
  ],
  [
    'default',
    { services: { stores: { secrets: { DATABASE_URL: { key: 'uri' } } } } },
    'services.stores.secrets.DATABASE_URL has a key but no existingSecret',
  ],
  ['default', { secrets: { NATS_URL: { key: 'uri' } } }, 'secrets.NATS_URL has a key but no existingSecret'],
  ['external', { generateSecrets: true }, 'existingSecret and generateSecrets are mutually exclusive'],
  [
    'default',
    { publicBaseUrl: '' },
    'services.customers.settings.PORTAL_BASE_URL is missing; set it, or set pages.publicBaseUrl or publicBaseUrl, to which /portal',
  ],
  [
    'default',
    { services: { customers: { settings: { PROFILE_PROVIDERS: 'steam' } } } },
    'services.customers.settings.PROFILE_PROVIDERS includes steam, which requires services.customers.secrets.STEAM_API_KEY.',
  ],
  [
    'default',
    { serviceSettings: { METRICS_PORT: 50_051 } },
    'services.bans uses the same port for GRPC_PORT and METRICS_PORT',
  ],
  [
    'default',
    { gateway: { settings: { METRICS_PORT: 8080 } } },
    'gateway uses the same port for PORT and METRICS_PORT',
  ],
  [
    'default',
    { defaults: { extraEnv: [{ name: 'LOG_LEVEL', value: 'debug' }] } },
    'services.bans.extraEnv sets LOG_LEVEL, which the chart manages',
  ],
  [
    'default',
    { gateway: { extraEnv: [{ name: 'REDIS_URL', value: 'redis://x' }] } },
    'gateway.extraEnv sets REDIS_URL, which the chart manages',
  ],
  [
    'default',
    { defaults: { extraEnv: [{ name: 'DATABASE_ADMIN_URL', value: 'postgres://admin:x@db/postgres' }] } },
    'defaults.extraEnv sets DATABASE_ADMIN_URL, which would give administrator access to pods that serve requests',
  ],
  [
    'default',
    {
      services: {
        bans: {
          extraEnv: [{ name: 'DATABASE_ADMIN_URL', valueFrom: { secretKeyRef: { name: 'admin', key: 'uri' } } }],
        },
      },
    },
    'services.bans.extraEnv sets DATABASE_ADMIN_URL, which would give administrator access to pods',
  ],
  [
    'external',
    { gateway: { extraEnv: [{ name: 'DATABASE_ADMIN_URL', value: 'postgres://admin:x@db/postgres' }] } },
    'gateway.extraEnv sets DATABASE_ADMIN_URL, which would give administrator access to pods',
  ],
  [
    'default',
    { tls: { enabled: true } },
    'tls.enabled is true, but no certificates are configured; set tls.existingSecret',
  ],
  [
    'default',
    { tls: { certManager: { enabled: true, issuerRef: { name: 'shops' } } } },
    'tls.existingSecret or tls.certManager is set, but tls.enabled is false',
  ],
  [
    'external',
    { tls: { certManager: { enabled: true, issuerRef: { name: 'shops' } } } },
    'tls.existingSecret and tls.certManager.enabled are mutually exclusive',
  ],
  [
    'default',
    { secrets: { CALL_SECRET: { value: '' } } },
    'secrets.CALL_SECRET is missing, without which services cannot tell who calls them',
  ],
  ['external', { tls: { existingSecret: 'storekeep-tls' } }, 'tls.existingSecret must contain {component}'],
  ['ha', { tls: { certManager: { issuerRef: { name: '' } } } }, 'tls.certManager.issuerRef.name is required'],
  ['ha', { tls: { certManager: { duration: '700h' } } }, 'tls.certManager.renewBefore must be shorter than duration'],
  [
    'external',
    { defaults: { extraEnv: [{ name: 'GRPC_TLS_CALLERS', value: '*' }] } },
    'services.bans.extraEnv sets GRPC_TLS_CALLERS, which the chart manages',
  ],
  ['default', { image: { tag: 'latest' } }, 'image.tag must not be latest'],
  ['default', { bundled: { redis: { image: { tag: 'latest' } } } }, 'bundled.redis.image.tag must not be latest'],
  ['external', { ingress: { hosts: [] } }, 'ingress.enabled is true, but ingress.hosts is empty.'],
  ['ha', { httpRoute: { parentRefs: [] } }, 'httpRoute.enabled is true, but httpRoute.parentRefs is empty.'],
  ['ha', { httpRoute: { hostnames: [] } }, 'httpRoute.enabled is true, but httpRoute.hostnames is empty.'],
  [
    'ha',
    { pages: { httpRoute: { parentRefs: [] } } },
    'pages.httpRoute.enabled is true, but pages.httpRoute.parentRefs',
  ],
  [
    'default',
    { pages: { ingress: { enabled: true } } },
    'pages.settings.TRUSTED_PROXIES is empty but an Ingress or HTTPRoute of the pages is enabled',
  ],
  [
    'external',
    { pages: { publicBaseUrl: 'http://pay.example.org', ingress: { tls: [] } } },
    'PORTAL_BASE_URL is http://pay.example.org/portal, but browsers keep the cookie of the portal only over HTTPS',
  ],
  [
    'ha',
    { services: { checkout: { settings: { CHECKOUT_BASE_URL: 'https://192.0.2.1/pay' } } } },
    'CHECKOUT_BASE_URL is https://192.0.2.1/pay, but an Ingress or HTTPRoute matches host names, not IP addresses',
  ],
  [
    'ha',
    { services: { checkout: { settings: { CHECKOUT_BASE_URL: 'https://account.example.org/' } } } },
    'CHECKOUT_BASE_URL and services.customers.settings.PORTAL_BASE_URL are both https://account.example.org',
  ],
  [
    'external',
    { pages: { ingress: { tls: [{ secretName: 'pay-tls', hosts: ['shop.example.org'] }] } } },
    'pages.ingress.tls names the host shop.example.org, which has no pages; they are at https://pay.example.org/checkout and',
  ],
  ['default', { pages: { replicas: 1 } }, 'pages runs 1 pods and its podDisruptionBudget requires 1 available'],
  [
    'default',
    { pages: { extraEnv: [{ name: 'PORTAL_BASE_URL', value: 'https://x' }] } },
    'pages.extraEnv sets PORTAL_BASE_URL, which the chart manages',
  ],
  [
    'default',
    { pages: { settings: { METRICS_PORT: 8081 } } },
    'pages uses the same port for PORT and METRICS_PORT; they must differ.',
  ],
  ['default', { adminTools: { enabled: false } }, 'tests.enabled requires adminTools.enabled'],
  ['minimal', { serviceAccount: { name: '' } }, 'serviceAccount.name is required if serviceAccount.create is false.'],
  [
    'external',
    { networkPolicy: { metricsFrom: [] } },
    'metrics.serviceMonitor is enabled, but networkPolicy.metricsFrom is empty',
  ],
  [
    'default',
    { metrics: { prometheusRule: { enabled: true } } },
    'metrics.prometheusRule is enabled, but nothing scrapes the metrics',
  ],
  [
    'bundled',
    { migrations: { useHelmHooks: true } },
    'bundled.postgres does not exist yet when Helm hooks run; set migrations.useHelmHooks to false.',
  ],
  [
    'bundled',
    { migrations: { enabled: false } },
    'bundled.postgres starts empty and only the migrations Job creates its roles',
  ],
  [
    'bundled',
    { secrets: { NATS_URL: { value: 'nats://mine' } } },
    'bundled.nats is enabled and secrets.NATS_URL refers to another server',
  ],
]

const expression = 'include "storekeep.validationErrors" $root | fromJsonArray | default list'

describeWithHelm('validations', () => {
  let errors: unknown[]

  beforeAll(async () => {
    errors = await evaluate(invalidCombinations.map(([scenario, values]) => ({ scenario, values, expression })))
  })

  it.each(invalidCombinations.map(([scenario, values, error], index) => ({ scenario, values, error, index })))(
    'reject $scenario with $values',
    ({ error, index }) => {
      expect(errors[index]).toContainEqual(expect.stringContaining(error))
    },
  )

  it('accept every scenario', async () => {
    expect(await evaluate(scenarios.map((scenario) => ({ scenario, expression })))).toEqual(scenarios.map(() => []))
  })

  it('accept a percentage that leaves one pod to evict', async () => {
    const half = await render('default', { defaults: { podDisruptionBudget: { minAvailable: '50%' } } })
    expect(half.one('PodDisruptionBudget', 'shop-storekeep-bans').spec.minAvailable).toBe('50%')
  })

  it('stop the installation and report every error once', async () => {
    const values = { image: { tag: 'latest' }, publicBaseUrl: '', secrets: { NATS_URL: { value: '' } } }
    const message = await renderError('default', values)
    expect(message).toContain('The values are invalid:\n- image.tag must not be latest')
    expect(message).toContain('PORTAL_BASE_URL is missing')
    // Every service needs this setting.
    expect(message.split('secrets.NATS_URL is missing')).toHaveLength(2)
  })
})
