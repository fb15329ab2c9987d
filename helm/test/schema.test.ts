import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import { chart, describeWithHelm } from './src/helm.ts'
import { renderError } from './src/render.ts'
import { scenarios, valuesOf } from './src/values.ts'

const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))

const proxy = { name: 'proxy', image: 'registry.example.org/proxy:1' }
const sidecar = 'gateway.sidecars.0.securityContext'

/** Invalid values, and the path and the keyword of the schema that rejects them. */
const invalidValues: [values: object, violation: string][] = [
  [{ replicas: 3 }, '(root): additionalProperties replicas'],
  [{ cell: 64 }, 'cell: maximum 63'],
  [{ cell: -1 }, 'cell: minimum 0'],
  [{ cell: 'one' }, 'cell: pattern'],
  [{ cells: [{ cell: 64 }] }, 'cells.0.cell: maximum 63'],
  [{ cells: [{ release: 'shop-1' }] }, 'cells.0: required cell'],
  [{ cells: [{ cell: 1, name: 'shop-1' }] }, 'cells.0: additionalProperties name'],
  [{ cells: [{ cell: 1, addresses: { shop: 'shop:1' } }] }, 'cells.0.addresses: additionalProperties shop'],
  [{ cells: [{ cell: 1, addresses: { bans: 'https://bans' } }] }, 'cells.0.addresses.bans: pattern'],
  [{ gateway: { enabled: 'yes' } }, 'gateway.enabled: maxLength 0'],
  [{ defaults: { replica: 3 } }, 'defaults: additionalProperties replica'],
  [{ defaults: { replicaCount: -1 } }, 'defaults.replicaCount: minimum 0'],
  [{ defaults: { replicaCount: 'two' } }, 'defaults.replicaCount: maxLength 0'],
  [{ defaults: { replicaCount: 1.5 } }, 'defaults.replicaCount: type integer string null'],
  [{ defaults: { nodeSelector: { pool: 7 } } }, 'defaults.nodeSelector.pool: type string'],
  [
    { defaults: { podDisruptionBudget: { minAvailable: 'half' } } },
    'defaults.podDisruptionBudget.minAvailable: pattern',
  ],
  [
    { defaults: { topologySpreadConstraints: [{ topologyKey: 'x', whenUnsatisfiable: 'Never' }] } },
    'defaults.topologySpreadConstraints.0: required maxSkew',
  ],
  [{ defaults: { probes: { startup: { periodSeconds: 0 } } } }, 'defaults.probes.startup.periodSeconds: minimum 1'],
  [{ defaults: { probes: { ready: {} } } }, 'defaults.probes: additionalProperties ready'],
  [{ defaults: { extraEnv: [{ value: 'x' }] } }, 'defaults.extraEnv.0: required name'],
  [{ defaults: { extraVolumes: [{ emptyDir: {} }] } }, 'defaults.extraVolumes.0: required name'],
  [{ defaults: { resources: { request: {} } } }, 'defaults.resources: additionalProperties request'],
  [{ defaults: { settings: {} } }, 'defaults: additionalProperties settings'],
  [{ commonLabels: { 'app.kubernetes.io/name': 'x' } }, 'commonLabels: not'],
  [{ defaults: { podLabels: { 'app.kubernetes.io/component': 'x' } } }, 'defaults.podLabels: not'],
  [{ tls: { certManager: { duration: '90d' } } }, 'tls.certManager.duration: pattern'],
  [{ tls: { certManager: { renewBefore: 720 } } }, 'tls.certManager.renewBefore: type string'],
  [{ tls: { certManager: { issuer: 'x' } } }, 'tls.certManager: additionalProperties issuer'],
  [{ tls: { existingSecret: 'storekeep {component}' } }, 'tls.existingSecret: pattern'],
  [{ tls: { minVersion: '1.2' } }, 'tls: additionalProperties minVersion'],
  [{ services: { shop: {} } }, 'services: additionalProperties shop'],
  [{ services: { bans: { replica: 1 } } }, 'services.bans: additionalProperties replica'],
  [{ services: { bans: { settings: { LOGLEVEL: 'info' } } } }, 'services.bans.settings: additionalProperties LOGLEVEL'],
  [{ services: { bans: { settings: { LOG_LEVEL: 'loud' } } } }, 'services.bans.settings.LOG_LEVEL: enum'],
  [
    { services: { bans: { settings: { REDIS_KEY_PREFIX: 'x' } } } },
    'services.bans.settings: additionalProperties REDIS_KEY_PREFIX',
  ],
  [
    { services: { bans: { settings: { PORTAL_BASE_URL: 'https://x' } } } },
    'services.bans.settings: additionalProperties PORTAL_BASE_URL',
  ],
  [
    { services: { bans: { secrets: { TOKEN_KEYS: { value: 'x' } } } } },
    'services.bans.secrets: additionalProperties TOKEN_KEYS',
  ],
  [
    { services: { stores: { secrets: { API_KEY_PEPPER: { value: 'short' } } } } },
    'services.stores.secrets.API_KEY_PEPPER.value: pattern',
  ],
  [
    { services: { stores: { secrets: { DATABASE_URL: { value: 'mysql://x' } } } } },
    'services.stores.secrets.DATABASE_URL.value: pattern',
  ],
  [
    { services: { stores: { secrets: { DATABASE_URL: 'postgres://x' } } } },
    'services.stores.secrets.DATABASE_URL: type object',
  ],
  [
    { services: { customers: { secrets: { TOKEN_KEYS: { value: 'F'.repeat(43) } } } } },
    'services.customers.secrets.TOKEN_KEYS.value: pattern',
  ],
  [
    { services: { customers: { settings: { PROFILE_PROVIDERS: 'xbox' } } } },
    'services.customers.settings.PROFILE_PROVIDERS: enum',
  ],
  [
    { services: { checkout: { settings: { SWEEP_INTERVAL_MS: 5 } } } },
    'services.checkout.settings.SWEEP_INTERVAL_MS: minimum 50',
  ],
  [{ serviceSettings: { DATABASE_CONNECTIONS: 201 } }, 'serviceSettings.DATABASE_CONNECTIONS: maximum 200'],
  [{ database: { maxConnections: -1 } }, 'database.maxConnections: minimum 0'],
  [{ serviceSettings: { GRPC_PORT: 0 } }, 'serviceSettings.GRPC_PORT: minimum 1024'],
  [{ secrets: { NATS_URL: { value: 'http://nats' } } }, 'secrets.NATS_URL.value: pattern'],
  [{ secrets: { REDIS_URL: { secret: 'redis' } } }, 'secrets.REDIS_URL: additionalProperties secret'],
  [{ telemetry: { otlp: { endpoint: 'collector:4317' } } }, 'telemetry.otlp.endpoint: pattern'],
  [{ telemetry: { endpoint: 'http://collector' } }, 'telemetry: additionalProperties endpoint'],
  [{ telemetry: { samplingRatio: 10 } }, 'telemetry.samplingRatio: maximum 1'],
  [{ telemetry: { samplingRatio: '0.1' } }, 'telemetry.samplingRatio: type number'],
  [{ existingSecret: 'No_Such_Name' }, 'existingSecret: pattern'],
  [{ pages: { publicBaseUrl: 'pay.example.org' } }, 'pages.publicBaseUrl: pattern'],
  [{ pages: { publicBaseUrl: 'https://user@pay.example.org' } }, 'pages.publicBaseUrl: pattern'],
  [
    { services: { checkout: { settings: { CHECKOUT_BASE_URL: 'https://pay.example.org/?a=b' } } } },
    'services.checkout.settings.CHECKOUT_BASE_URL: pattern',
  ],
  [{ pages: { ingress: { hosts: ['pay.example.org'] } } }, 'pages.ingress: additionalProperties hosts'],
  [{ pages: { httpRoute: { hostnames: ['x.example'] } } }, 'pages.httpRoute: additionalProperties hostnames'],
  [{ pages: { secrets: { DATABASE_URL: {} } } }, 'pages: additionalProperties secrets'],
  [
    { pages: { settings: { PAYMENT_PROVIDER_ORIGINS: 'https://pay.example/form' } } },
    'pages.settings.PAYMENT_PROVIDER_ORIGINS: pattern',
  ],
  [{ pages: { settings: { PORTAL_BASE_URL: 'https://x' } } }, 'pages.settings: additionalProperties PORTAL_BASE_URL'],
  [
    { pages: { settings: { RATE_LIMIT_ADDRESS_PER_MINUTE: 0 } } },
    'pages.settings.RATE_LIMIT_ADDRESS_PER_MINUTE: minimum 1',
  ],
  [
    { networkPolicy: { pagesFrom: [{ podSelectors: {} }] } },
    'networkPolicy.pagesFrom.0: additionalProperties podSelectors',
  ],
  [{ gateway: { settings: { PORT: 70_000 } } }, 'gateway.settings.PORT: maximum 65535'],
  [{ gateway: { settings: { REDIS_TIMEOUT_MS: 60_000 } } }, 'gateway.settings.REDIS_TIMEOUT_MS: maximum 2000'],
  [{ gateway: { settings: { TRUSTED_PROXIES: 'everybody' } } }, 'gateway.settings.TRUSTED_PROXIES: pattern'],
  [{ gateway: { secrets: { NATS_URL: { value: 'nats://x' } } } }, 'gateway.secrets: additionalProperties NATS_URL'],
  [{ gateway: { service: { type: 'ExternalName' } } }, 'gateway.service.type: enum'],
  [{ pages: { service: { type: 'LoadBalancer' } } }, 'pages.service: additionalProperties type'],
  [{ ingress: { hosts: [{ host: 'x', paths: ['/healthz'] }] } }, 'ingress.hosts.0.paths.0: pattern'],
  [{ ingress: { hosts: [{ paths: ['/v1'] }] } }, 'ingress.hosts.0: required host'],
  [{ httpRoute: { filters: [{ type: 'Rewrite' }] } }, 'httpRoute.filters.0.type: enum'],
  [{ defaults: { sidecars: [{ name: 'proxy' }] } }, 'defaults.sidecars.0: required image'],
  [
    { gateway: { sidecars: [{ ...proxy, securityContext: { privileged: true } }] } },
    `${sidecar}: additionalProperties privileged`,
  ],
  [{ gateway: { sidecars: [{ ...proxy, securityContext: { runAsUser: 0 } }] } }, `${sidecar}.runAsUser: minimum 10000`],
  [
    { gateway: { sidecars: [{ ...proxy, securityContext: { runAsNonRoot: false } }] } },
    `${sidecar}.runAsNonRoot: enum`,
  ],
  [
    { gateway: { sidecars: [{ ...proxy, securityContext: { capabilities: { add: ['NET_ADMIN'] } } }] } },
    `${sidecar}.capabilities: additionalProperties add`,
  ],
  [
    { gateway: { initContainers: [{ ...proxy, ports: [{ containerPort: 1, hostPort: 1 }] }] } },
    'gateway.initContainers.0.ports.0: additionalProperties hostPort',
  ],
  [{ xyz: {} }, '(root): additionalProperties xyz'],
  [{ gateway: { settings: { PORT: 80 } } }, 'gateway.settings.PORT: minimum 1024'],
  [{ gateway: { settings: { TRUSTED_PROXIES: '0.0.0.0/0' } } }, 'gateway.settings.TRUSTED_PROXIES: not'],
  [{ gateway: { settings: { TRUSTED_PROXIES: '::/0,::1' } } }, 'gateway.settings.TRUSTED_PROXIES: not'],
  [{ gateway: { settings: { METRICS_PORT: null } } }, 'gateway.settings: required METRICS_PORT'],
  [{ publicBaseUrl: 'https://store.example.org/?a=b' }, 'publicBaseUrl: pattern'],
  [{ networkPolicy: { collector: { port: 4318 } } }, 'networkPolicy.collector: additionalProperties port'],
  [{ defaults: { resources: { requests: { cpu: 'lots' } } } }, 'defaults.resources.requests.cpu: pattern'],
  [
    { services: { bans: { resources: { limits: { memory: '1 Gi' } } } } },
    'services.bans.resources.limits.memory: pattern',
  ],
  [
    { defaults: { extraVolumes: [{ name: 'node', hostPath: { path: '/' } }] } },
    'defaults.extraVolumes.0: additionalProperties hostPath',
  ],
  [{ defaults: { extraVolumes: [{ name: 'tmp', emptyDir: {} }] } }, 'defaults.extraVolumes.0.name: not'],
  [{ gateway: { extraVolumes: [{ name: 'tls', emptyDir: {} }] } }, 'gateway.extraVolumes.0.name: not'],
  [{ defaults: { podAnnotations: { 'checksum/settings': 'x' } } }, 'defaults.podAnnotations: propertyNames'],
  [
    { services: { bans: { podAnnotations: { 'checksum/secrets': 'x' } } } },
    'services.bans.podAnnotations: propertyNames',
  ],
  [{ migrations: { ttlSecondsAfterFinished: 'never' } }, 'migrations.ttlSecondsAfterFinished: anyOf'],
  [{ image: { digest: `sha256:${'0'.repeat(64)}` } }, 'image: additionalProperties digest'],
  [{ image: { repository: 'Store Keep' } }, 'image.repository: pattern'],
  [{ services: { bans: { image: { digest: 'sha256:abc' } } } }, 'services.bans.image.digest: pattern'],
  [{ gateway: { image: { digest: '1.2.3' } } }, 'gateway.image.digest: pattern'],
  [{ services: { bans: { image: { tag: 'a b' } } } }, 'services.bans.image.tag: pattern'],
  [{ defaults: { image: { digest: '' } } }, 'defaults: additionalProperties image'],
  [{ image: { tag: 'a b' } }, 'image.tag: pattern'],
  [{ image: { tag: `1.2.3@sha256:${'0'.repeat(64)}` } }, 'image.tag: pattern'],
  [{ bundled: { nats: { image: { tag: '2.14.5@sha256:abc' } } } }, 'bundled.nats.image.tag: pattern'],
  [{ image: { pullPolicy: 'Sometimes' } }, 'image.pullPolicy: enum'],
  [{ imagePullSecrets: [7] }, 'imagePullSecrets.0: type object string'],
  [{ global: { imagePullSecrets: [{ secret: 'mirror' }] } }, 'global.imagePullSecrets.0: required name'],
  [{ publicBaseUrl: 'store.example.org' }, 'publicBaseUrl: pattern'],
  [{ fullnameOverride: 'Not A Name' }, 'fullnameOverride: pattern'],
  [{ security: { runAsUser: 0 } }, 'security.runAsUser: minimum 10000'],
  [{ security: { privileged: true } }, 'security: additionalProperties privileged'],
  [{ ingress: { paths: ['/metrics'] } }, 'ingress.paths.0: pattern'],
  [{ ingress: { paths: ['/'] } }, 'ingress.paths.0: pattern'],
  [{ ingress: { hosts: ['https://store.example.org'] } }, 'ingress.hosts.0: pattern'],
  [{ httpRoute: { paths: ['/healthz'] } }, 'httpRoute.paths.0: pattern'],
  [{ migrations: { useHooks: true } }, 'migrations: additionalProperties useHooks'],
  [{ networkPolicy: { postgres: { port: 'postgres' } } }, 'networkPolicy.postgres.port: type integer'],
  [{ networkPolicy: { internet: { except: ['10.0.0.0'] } } }, 'networkPolicy.internet.except.0: pattern'],
  [{ metrics: { serviceMonitor: { interval: 'often' } } }, 'metrics.serviceMonitor.interval: pattern'],
  [{ metrics: { prometheusRule: { runbookBaseUrl: 'docs' } } }, 'metrics.prometheusRule.runbookBaseUrl: pattern'],
  [
    { defaults: { tolerations: [{ key: 'pool', effects: 'NoSchedule' }] } },
    'defaults.tolerations.0: additionalProperties effects',
  ],
  [{ defaults: { tolerations: [{ key: 'pool', effect: 'NoRun' }] } }, 'defaults.tolerations.0.effect: enum'],
  [
    { gateway: { tolerations: [{ key: 'pool', tolerationSeconds: '60' }] } },
    'gateway.tolerations.0.tolerationSeconds: type integer',
  ],
  [
    { services: { bans: { tolerations: [{ name: 'pool' }] } } },
    'services.bans.tolerations.0: additionalProperties name',
  ],
  [{ defaults: { affinity: { podAffinty: {} } } }, 'defaults.affinity: additionalProperties podAffinty'],
  [
    {
      gateway: {
        affinity: {
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: {} } }] },
        },
      },
    },
    'gateway.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.0: required topologyKey',
  ],
  [
    { networkPolicy: { gatewayFrom: [{ podSelectors: {} }] } },
    'networkPolicy.gatewayFrom.0: additionalProperties podSelectors',
  ],
  [
    { networkPolicy: { metricsFrom: [{ namespaceSelector: { matchLabel: {} } }] } },
    'networkPolicy.metricsFrom.0.namespaceSelector: additionalProperties matchLabel',
  ],
  [{ networkPolicy: { postgres: { to: [{ ipBlock: {} }] } } }, 'networkPolicy.postgres.to.0.ipBlock: required cidr'],
  [
    { networkPolicy: { redis: { to: [{ cidr: '10.0.0.0/8' }] } } },
    'networkPolicy.redis.to.0: additionalProperties cidr',
  ],
  [{ networkPolicy: { collector: { to: [{ pods: {} }] } } }, 'networkPolicy.collector.to.0: additionalProperties pods'],
  [{ networkPolicy: { dns: { to: [{ pods: {} }] } } }, 'networkPolicy.dns.to.0: additionalProperties pods'],
  [{ networkPolicy: { extraEgress: [{ port: 443 }] } }, 'networkPolicy.extraEgress.0: additionalProperties port'],
  [
    { networkPolicy: { extraEgress: [{ ports: [{ port: 443, protocol: 'HTTP' }] }] } },
    'networkPolicy.extraEgress.0.ports.0.protocol: enum',
  ],
  [
    { gateway: { autoscaling: { metrics: [{ type: 'Pods', pod: {} }] } } },
    'gateway.autoscaling.metrics.0: additionalProperties pod',
  ],
  [
    { services: { bans: { autoscaling: { metrics: [{ pods: {} }] } } } },
    'services.bans.autoscaling.metrics.0: required type',
  ],
  [
    { defaults: { autoscaling: { behavior: { scaleDown: { stabilizationSeconds: 60 } } } } },
    'defaults.autoscaling.behavior.scaleDown: additionalProperties stabilizationSeconds',
  ],
  [
    { defaults: { extraEnv: [{ name: 'X', valueFrom: { secretKey: {} } }] } },
    'defaults.extraEnv.0.valueFrom: additionalProperties secretKey',
  ],
  [
    { gateway: { extraVolumes: [{ name: 'ca', secret: { name: 'ca' } }] } },
    'gateway.extraVolumes.0.secret: additionalProperties name',
  ],
  [
    { gateway: { extraVolumeMounts: [{ name: 'ca', path: '/ca' }] } },
    'gateway.extraVolumeMounts.0: additionalProperties path',
  ],
  [
    { httpRoute: { parentRefs: [{ name: 'web', section: 'https' }] } },
    'httpRoute.parentRefs.0: additionalProperties section',
  ],
  [{ tests: { storeSlug: 'Helm Test' } }, 'tests.storeSlug: pattern'],
  [{ bundled: { mysql: { enabled: true } } }, 'bundled: additionalProperties mysql'],
  [{ bundled: { redis: { storage: '1Gi' } } }, 'bundled.redis: additionalProperties storage'],
  [{ bundled: { nats: { storage: 'much' } } }, 'bundled.nats.storage: pattern'],
]

describe('values.schema.json', () => {
  it('declares the properties of every object', () => {
    expect(openObjects(schema, '')).toEqual([
      // Values shared with other charts, and objects of any kind.
      '/properties/global',
      '/properties/extraObjects/items',
      // Kubernetes accepts any properties here, too.
      '/definitions/V1ManagedFieldsEntry/properties/fieldsV1',
      // YAML anchors.
      '/patternProperties/^x-',
    ])
  })

  it('accepts the values of every scenario', () => {
    for (const scenario of scenarios) expect([scenario, violations(valuesOf(scenario))]).toEqual([scenario, []])
  })

  it.each(invalidValues)('rejects %j', (values, violation) => {
    expect(violations(valuesOf('default', values))).toContain(violation)
  })
})

describeWithHelm('Helm', () => {
  // One value for each keyword of the schema; Helm reports all violations together.
  it('applies the schema', async () => {
    const message = await renderError('default', {
      replicas: 3,
      defaults: { replicaCount: -1, extraEnv: [{ value: 'x' }], updateStrategy: { maxSurge: 'all' } },
      image: { pullPolicy: 'Sometimes' },
      services: { bans: { replica: 1 } },
      serviceSettings: { DATABASE_CONNECTIONS: 201 },
      telemetry: { samplingRatio: '0.1' },
      gateway: { settings: { TRUSTED_PROXIES: '0.0.0.0/0' } },
      publicBaseUrl: 'store.example.org',
    })
    for (const violation of [
      '(root): Additional property replicas is not allowed',
      'defaults.replicaCount: Must be greater than or equal to 0',
      'defaults.extraEnv.0: name is required',
      'image.pullPolicy must be one of',
      'serviceSettings.DATABASE_CONNECTIONS: Must be less than or equal to 200',
      'telemetry.samplingRatio: Invalid type. Expected: number, given: string',
      'gateway.settings.TRUSTED_PROXIES: Must not validate the schema',
      'publicBaseUrl: Does not match pattern',
    ])
      expect(message).toContain(violation)
    // One line for each mistake, including mistakes of a service.
    expect(message.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(10)
  })

  it('does not print secrets in error messages', async () => {
    const secrets = { DATABASE_URL: { value: 'mysql://stores:hunter2@db/x' } }
    expect(await renderError('default', { services: { stores: { secrets } } })).not.toContain('hunter2')
  })
})

const validate = new Ajv({ allErrors: true, strict: false }).compile(schema)

function violations(values: object): string[] {
  return validate(values) ? [] : (validate.errors ?? []).map(violationOf)
}

function violationOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/') || '(root)'
  const { additionalProperty, missingProperty, limit, type } = params
  const detail = additionalProperty ?? missingProperty ?? limit ?? [type ?? []].flat().join(' ')
  return `${path}: ${keyword} ${detail}`.trim()
}

/** The paths of objects that allow any property. */
function openObjects(node: unknown, path: string): string[] {
  if (node === null || typeof node !== 'object') return []
  const { type, additionalProperties } = node as Record<string, unknown>
  const isOpen = [type].flat().includes('object') && additionalProperties === undefined
  const below = Object.entries(node).flatMap(([name, value]) => openObjects(value, `${path}/${name}`))
  return isOpen || Object.keys(node).length === 0 ? [path, ...below] : below
}
