import { describe, expect, it } from 'vitest'
import { whyNoHelm } from './src/helm.ts'
import { refusal, render, type Scenario } from './src/render.ts'

/** Values that fit no cluster and no code, each with what is said of them. By the schema: where, and what is wrong there. */
const misfits: [values: object, said: string][] = [
  [{ replicas: 3 }, '(root): Additional property replicas is not allowed'],
  [{ defaults: { replica: 3 } }, 'defaults: Additional property replica is not allowed'],
  [{ defaults: { replicas: -1 } }, 'defaults.replicas: Must be greater than or equal to 0'],
  [{ defaults: { replicas: 'two' } }, 'defaults.replicas: Invalid type. Expected: integer, given: string'],
  [{ defaults: { replicas: 1.5 } }, 'defaults.replicas: Invalid type. Expected: integer, given: number'],
  [{ defaults: { nodeSelector: { pool: 7 } } }, 'defaults.nodeSelector.pool: Invalid type. Expected: string'],
  [{ defaults: { podDisruptionBudget: { minAvailable: 'half' } } }, 'defaults.podDisruptionBudget.minAvailable'],
  [
    { defaults: { topologySpread: { whenUnsatisfiable: 'Never' } } },
    'defaults.topologySpread.whenUnsatisfiable must be one of',
  ],
  [
    { defaults: { probes: { startup: { periodSeconds: 0 } } } },
    'defaults.probes.startup.periodSeconds: Must be greater than or equal to 1',
  ],
  [{ defaults: { probes: { ready: {} } } }, 'defaults.probes: Additional property ready is not allowed'],
  [{ defaults: { extraEnv: [{ value: 'x' }] } }, 'defaults.extraEnv.0: name is required'],
  [{ defaults: { extraVolumes: [{ emptyDir: {} }] } }, 'defaults.extraVolumes.0: name is required'],
  [{ defaults: { resources: { request: {} } } }, 'defaults.resources: Additional property request is not allowed'],
  [{ defaults: { settings: {} } }, 'defaults: Additional property settings is not allowed'],
  [{ commonLabels: { 'app.kubernetes.io/name': 'x' } }, 'commonLabels'],
  [{ defaults: { podLabels: { 'app.kubernetes.io/component': 'x' } } }, 'defaults.podLabels'],
  [{ tls: { certManager: { duration: '90d' } } }, 'tls.certManager.duration: Does not match pattern'],
  [{ tls: { certManager: { renewBefore: 720 } } }, 'tls.certManager.renewBefore: Invalid type. Expected: string'],
  [{ tls: { certManager: { issuer: 'x' } } }, 'tls.certManager: Additional property issuer is not allowed'],
  [{ tls: { existingSecret: 'storekeep {component}' } }, 'tls.existingSecret: Does not match pattern'],
  [{ tls: { minVersion: '1.2' } }, 'tls: Additional property minVersion is not allowed'],
  [{ services: { shop: {} } }, 'services: Additional property shop is not allowed'],
  [{ services: { bans: { replica: 1 } } }, 'services.bans: Additional property replica is not allowed'],
  [
    { services: { bans: { settings: { LOGLEVEL: 'info' } } } },
    'services.bans.settings: Additional property LOGLEVEL is not allowed',
  ],
  [{ services: { bans: { settings: { LOG_LEVEL: 'loud' } } } }, 'services.bans.settings.LOG_LEVEL must be one of'],
  [
    { services: { bans: { settings: { REDIS_KEY_PREFIX: 'x' } } } },
    'services.bans.settings: Additional property REDIS_KEY_PREFIX is not allowed',
  ],
  [
    { services: { bans: { settings: { PORTAL_BASE_URL: 'https://x' } } } },
    'services.bans.settings: Additional property PORTAL_BASE_URL is not allowed',
  ],
  [
    { services: { bans: { secrets: { TOKEN_KEYS: { value: 'x' } } } } },
    'services.bans.secrets: Additional property TOKEN_KEYS is not allowed',
  ],
  [
    { services: { stores: { secrets: { API_KEY_PEPPER: { value: 'short' } } } } },
    'services.stores.secrets.API_KEY_PEPPER.value: Does not match pattern',
  ],
  [
    { services: { stores: { secrets: { DATABASE_URL: { value: 'mysql://x' } } } } },
    'services.stores.secrets.DATABASE_URL.value: Does not match pattern',
  ],
  [
    { services: { stores: { secrets: { DATABASE_URL: 'postgres://x' } } } },
    'services.stores.secrets.DATABASE_URL: Invalid type. Expected: object',
  ],
  [
    { services: { customers: { secrets: { TOKEN_KEYS: { value: 'F'.repeat(43) } } } } },
    'services.customers.secrets.TOKEN_KEYS.value: Does not match pattern',
  ],
  [
    { services: { customers: { settings: { PROFILE_PROVIDERS: 'xbox' } } } },
    'services.customers.settings.PROFILE_PROVIDERS must be one of',
  ],
  [
    { services: { customers: { settings: { PROFILE_TIMEOUT_MS: 5 } } } },
    'services.customers.settings.PROFILE_TIMEOUT_MS: Must be greater than or equal to 10',
  ],
  [
    { serviceSettings: { DATABASE_POOL_SIZE: 201 } },
    'serviceSettings.DATABASE_POOL_SIZE: Must be less than or equal to 200',
  ],
  [{ serviceSettings: { GRPC_PORT: 0 } }, 'serviceSettings.GRPC_PORT: Must be greater than or equal to 1024'],
  [{ secrets: { NATS_URL: { value: 'http://nats' } } }, 'secrets.NATS_URL.value: Does not match pattern'],
  [{ secrets: { REDIS_URL: { secret: 'redis' } } }, 'secrets.REDIS_URL: Additional property secret is not allowed'],
  [{ telemetry: { otlp: { endpoint: 'collector:4317' } } }, 'telemetry.otlp.endpoint: Does not match pattern'],
  [{ telemetry: { endpoint: 'http://collector' } }, 'telemetry: Additional property endpoint is not allowed'],
  [{ telemetry: { samplingRatio: 10 } }, 'telemetry.samplingRatio: Must be less than or equal to 1'],
  [{ telemetry: { samplingRatio: '0.1' } }, 'telemetry.samplingRatio: Invalid type. Expected: number, given: string'],
  [{ existingSecret: 'No_Such_Name' }, 'existingSecret: Does not match pattern'],
  [{ gateway: { settings: { PORT: 70_000 } } }, 'gateway.settings.PORT: Must be less than or equal to 65535'],
  [
    { gateway: { settings: { API_KEY_CACHE_MS: 60_000 } } },
    'gateway.settings.API_KEY_CACHE_MS: Must be less than or equal to 5000',
  ],
  [
    { gateway: { settings: { TRUSTED_PROXIES: 'everybody' } } },
    'gateway.settings.TRUSTED_PROXIES: Does not match pattern',
  ],
  [
    { gateway: { secrets: { NATS_URL: { value: 'nats://x' } } } },
    'gateway.secrets: Additional property NATS_URL is not allowed',
  ],
  [{ gateway: { service: { type: 'LoadBalancer' } } }, 'gateway.service: Additional property type is not allowed'],
  [{ gateway: { settings: { PORT: 80 } } }, 'gateway.settings.PORT: Must be greater than or equal to 1024'],
  [{ gateway: { settings: { TRUSTED_PROXIES: '0.0.0.0/0' } } }, 'gateway.settings.TRUSTED_PROXIES: Must not validate'],
  [{ gateway: { settings: { TRUSTED_PROXIES: '::/0,::1' } } }, 'gateway.settings.TRUSTED_PROXIES: Must not validate'],
  [{ gateway: { settings: { METRICS_PORT: null } } }, 'gateway.settings: METRICS_PORT is required'],
  [{ publicBaseUrl: 'https://store.example.org/?a=b' }, 'publicBaseUrl: Does not match pattern'],
  [
    { networkPolicy: { collector: { port: 4318 } } },
    'networkPolicy.collector: Additional property port is not allowed',
  ],
  [{ defaults: { resources: { requests: { cpu: 'lots' } } } }, 'defaults.resources.requests.cpu'],
  [{ services: { bans: { resources: { limits: { memory: '1 Gi' } } } } }, 'services.bans.resources.limits.memory'],
  [
    { defaults: { extraVolumes: [{ name: 'node', hostPath: { path: '/' } }] } },
    'defaults.extraVolumes.0: Additional property hostPath is not allowed',
  ],
  [{ defaults: { extraVolumes: [{ name: 'tmp', emptyDir: {} }] } }, 'defaults.extraVolumes.0.name'],
  [{ gateway: { extraVolumes: [{ name: 'tls', emptyDir: {} }] } }, 'gateway.extraVolumes.0.name'],
  [{ defaults: { podAnnotations: { 'checksum/settings': 'x' } } }, 'defaults.podAnnotations'],
  [{ services: { bans: { podAnnotations: { 'checksum/secrets': 'x' } } } }, 'services.bans.podAnnotations'],
  [{ migrations: { ttlSecondsAfterFinished: 'never' } }, 'migrations.ttlSecondsAfterFinished'],
  [{ image: { digest: `sha256:${'0'.repeat(64)}` } }, 'image: Additional property digest is not allowed'],
  [{ image: { repository: 'Store Keep' } }, 'image.repository: Does not match pattern'],
  [{ services: { bans: { image: { digest: 'sha256:abc' } } } }, 'services.bans.image.digest: Does not match pattern'],
  [{ gateway: { image: { digest: '1.2.3' } } }, 'gateway.image.digest: Does not match pattern'],
  [{ services: { bans: { image: { tag: '1.2.3' } } } }, 'services.bans.image: Additional property tag is not allowed'],
  [{ defaults: { image: { digest: '' } } }, 'defaults: Additional property image is not allowed'],
  [{ image: { tag: 'a b' } }, 'image.tag: Does not match pattern'],
  [{ image: { pullPolicy: 'Sometimes' } }, 'image.pullPolicy must be one of'],
  [{ imagePullSecrets: ['mirror'] }, 'imagePullSecrets.0: Invalid type. Expected: object'],
  [{ publicBaseUrl: 'store.example.org' }, 'publicBaseUrl: Does not match pattern'],
  [{ fullnameOverride: 'Not A Name' }, 'fullnameOverride: Does not match pattern'],
  [{ security: { runAsUser: 0 } }, 'security.runAsUser: Must be greater than or equal to 10000'],
  [{ security: { privileged: true } }, 'security: Additional property privileged is not allowed'],
  [{ ingress: { paths: ['/metrics'] } }, 'ingress.paths.0: Does not match pattern'],
  [{ ingress: { paths: ['/'] } }, 'ingress.paths.0: Does not match pattern'],
  [{ ingress: { hosts: ['https://store.example.org'] } }, 'ingress.hosts.0: Does not match pattern'],
  [{ httpRoute: { paths: ['/healthz'] } }, 'httpRoute.paths.0: Does not match pattern'],
  [{ migrations: { useHooks: true } }, 'migrations: Additional property useHooks is not allowed'],
  [
    { networkPolicy: { postgres: { port: 'postgres' } } },
    'networkPolicy.postgres.port: Invalid type. Expected: integer',
  ],
  [
    { networkPolicy: { internet: { except: ['10.0.0.0'] } } },
    'networkPolicy.internet.except.0: Does not match pattern',
  ],
  [{ metrics: { serviceMonitor: { interval: 'often' } } }, 'metrics.serviceMonitor.interval: Does not match pattern'],
  [
    { metrics: { prometheusRule: { runbookBaseUrl: 'docs' } } },
    'metrics.prometheusRule.runbookBaseUrl: Does not match pattern',
  ],
  [
    { defaults: { tolerations: [{ key: 'pool', effects: 'NoSchedule' }] } },
    'defaults.tolerations.0: Additional property effects is not allowed',
  ],
  [{ defaults: { tolerations: [{ key: 'pool', effect: 'NoRun' }] } }, 'defaults.tolerations.0.effect must be one of'],
  [
    { gateway: { tolerations: [{ key: 'pool', tolerationSeconds: '60' }] } },
    'gateway.tolerations.0.tolerationSeconds: Invalid type. Expected: integer, given: string',
  ],
  [
    { services: { bans: { tolerations: [{ name: 'pool' }] } } },
    'services.bans.tolerations.0: Additional property name is not allowed',
  ],
  [{ defaults: { affinity: { podAffinty: {} } } }, 'defaults.affinity: Additional property podAffinty is not allowed'],
  [
    {
      gateway: {
        affinity: {
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: {} } }] },
        },
      },
    },
    'gateway.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.0: topologyKey is required',
  ],
  [
    { networkPolicy: { gatewayFrom: [{ podSelectors: {} }] } },
    'networkPolicy.gatewayFrom.0: Additional property podSelectors is not allowed',
  ],
  [
    { networkPolicy: { metricsFrom: [{ namespaceSelector: { matchLabel: {} } }] } },
    'networkPolicy.metricsFrom.0.namespaceSelector: Additional property matchLabel is not allowed',
  ],
  [{ networkPolicy: { postgres: { to: [{ ipBlock: {} }] } } }, 'networkPolicy.postgres.to.0.ipBlock: cidr is required'],
  [
    { networkPolicy: { redis: { to: [{ cidr: '10.0.0.0/8' }] } } },
    'networkPolicy.redis.to.0: Additional property cidr is not allowed',
  ],
  [
    { networkPolicy: { collector: { to: [{ pods: {} }] } } },
    'networkPolicy.collector.to.0: Additional property pods is not allowed',
  ],
  [
    { networkPolicy: { dns: { to: [{ pods: {} }] } } },
    'networkPolicy.dns.to.0: Additional property pods is not allowed',
  ],
  [
    { networkPolicy: { extraEgress: [{ port: 443 }] } },
    'networkPolicy.extraEgress.0: Additional property port is not allowed',
  ],
  [
    { networkPolicy: { extraEgress: [{ ports: [{ port: 443, protocol: 'HTTP' }] }] } },
    'networkPolicy.extraEgress.0.ports.0.protocol must be one of',
  ],
  [
    { gateway: { autoscaling: { metrics: [{ type: 'Pods', pod: {} }] } } },
    'gateway.autoscaling.metrics.0: Additional property pod is not allowed',
  ],
  [
    { services: { bans: { autoscaling: { metrics: [{ pods: {} }] } } } },
    'services.bans.autoscaling.metrics.0: type is required',
  ],
  [
    { defaults: { autoscaling: { behavior: { scaleDown: { stabilizationSeconds: 60 } } } } },
    'defaults.autoscaling.behavior.scaleDown: Additional property stabilizationSeconds is not allowed',
  ],
  [
    { defaults: { extraEnv: [{ name: 'X', valueFrom: { secretKey: {} } }] } },
    'defaults.extraEnv.0.valueFrom: Additional property secretKey is not allowed',
  ],
  [
    { gateway: { extraVolumes: [{ name: 'ca', secret: { name: 'ca' } }] } },
    'gateway.extraVolumes.0.secret: Additional property name is not allowed',
  ],
  [
    { gateway: { extraVolumeMounts: [{ name: 'ca', path: '/ca' }] } },
    'gateway.extraVolumeMounts.0: Additional property path is not allowed',
  ],
  [
    { httpRoute: { parentRefs: [{ name: 'web', section: 'https' }] } },
    'httpRoute.parentRefs.0: Additional property section is not allowed',
  ],
  [{ tests: { storeSlug: 'Helm Test' } }, 'tests.storeSlug: Does not match pattern'],
  [{ bundled: { mysql: { enabled: true } } }, 'bundled: Additional property mysql is not allowed'],
  [{ bundled: { redis: { storage: '1Gi' } } }, 'bundled.redis: Additional property storage is not allowed'],
  [{ bundled: { nats: { storage: 'much' } } }, 'bundled.nats.storage: Does not match pattern'],
]

const autoscaling = (values: object) => ({ services: { bans: { autoscaling: { enabled: true, ...values } } } })
const ownImage = { bundled: { redis: { image: { tag: 'latest' } } } }

/** Values that fit one by one, and cannot work together. By the chart's own checks: in sentences. */
const contradictions: [scenario: Scenario, values: object, said: string][] = [
  [
    'external',
    { gateway: { settings: { TRUSTED_PROXIES: '' } } },
    'gateway.settings.TRUSTED_PROXIES is empty behind an Ingress or a Gateway, so all callers would count as one',
  ],
  [
    'ha',
    { gateway: { settings: { TRUSTED_PROXIES: '' } } },
    'gateway.settings.TRUSTED_PROXIES is empty behind an Ingress or a Gateway',
  ],
  [
    'default',
    { defaults: { replicas: 1 } },
    'services.bans runs 1 pods and its podDisruptionBudget keeps 1 of them, so no node could ever be drained',
  ],
  ['default', { gateway: { replicas: 1 } }, 'gateway runs 1 pods and its podDisruptionBudget keeps 1 of them'],
  ['default', autoscaling({ minReplicas: 1 }), 'services.bans runs 1 pods and its podDisruptionBudget keeps 1 of them'],
  [
    'default',
    { defaults: { podDisruptionBudget: { minAvailable: '100%' } } },
    'services.bans runs 2 pods and its podDisruptionBudget keeps 2 of them, so no node could ever be drained',
  ],
  [
    'default',
    { defaults: { podDisruptionBudget: { minAvailable: '51%' } } },
    'services.bans runs 2 pods and its podDisruptionBudget keeps 2 of them, so no node could ever be drained',
  ],
  [
    'default',
    { gateway: { replicas: 1, podDisruptionBudget: { minAvailable: '50%' } } },
    'gateway runs 1 pods and its podDisruptionBudget keeps 1 of them, so no node could ever be drained',
  ],
  [
    'default',
    { telemetry: { otlp: { endpoint: 'http://collector:4317' } } },
    'telemetry.otlp.endpoint has port 4317, where collectors take OTLP over gRPC',
  ],
  [
    'default',
    autoscaling({ minReplicas: 9, maxReplicas: 3 }),
    'services.bans.autoscaling.minReplicas is greater than maxReplicas.',
  ],
  [
    'default',
    { ...autoscaling({}), defaults: { resources: { requests: { cpu: null } } } },
    'services.bans.autoscaling follows the share of the requested CPU, but resources.requests.cpu is not set.',
  ],
  [
    'default',
    { defaults: { updateStrategy: { maxSurge: 0 } } },
    'services.bans.updateStrategy allows neither a missing nor an additional pod',
  ],
  [
    'default',
    { defaults: { updateStrategy: { maxSurge: '0%', maxUnavailable: '0%' } } },
    'services.bans.updateStrategy allows neither a missing nor an additional pod',
  ],
  [
    'default',
    { services: { stores: { secrets: { ENCRYPTION_KEY: { value: '' } } } } },
    'services.stores.secrets.ENCRYPTION_KEY is missing: give existingSecret',
  ],
  [
    'default',
    { services: { customers: { secrets: { DATABASE_URL: { value: '' } } } } },
    'services.customers.secrets.DATABASE_URL is missing: give existingSecret',
  ],
  ['default', { secrets: { NATS_URL: { value: '' } } }, 'secrets.NATS_URL is missing: give existingSecret'],
  ['default', { secrets: { REDIS_URL: { value: '' } } }, 'secrets.REDIS_URL is missing: give existingSecret'],
  [
    'default',
    { secrets: { REDIS_URL: { existingSecret: 'redis' } } },
    'secrets.REDIS_URL has a value and an existingSecret; keep one of them.',
  ],
  [
    'default',
    { services: { stores: { secrets: { DATABASE_URL: { existingSecret: 'x' } } } } },
    'services.stores.secrets.DATABASE_URL has a value and an existingSecret; keep one of them.',
  ],
  [
    'default',
    { services: { stores: { secrets: { DATABASE_URL: { key: 'uri' } } } } },
    'services.stores.secrets.DATABASE_URL has a key, but no existingSecret in which it could be.',
  ],
  [
    'default',
    { secrets: { NATS_URL: { key: 'uri' } } },
    'secrets.NATS_URL has a key, but no existingSecret in which it could be.',
  ],
  ['external', { generateSecrets: true }, 'existingSecret and generateSecrets are both set'],
  [
    'default',
    { publicBaseUrl: '' },
    'services.customers.settings.PORTAL_BASE_URL is missing; set it, or publicBaseUrl',
  ],
  [
    'default',
    { services: { customers: { settings: { PROFILE_PROVIDERS: 'steam' } } } },
    'services.customers.settings.PROFILE_PROVIDERS has steam, which needs services.customers.secrets.STEAM_API_KEY.',
  ],
  [
    'default',
    { serviceSettings: { METRICS_PORT: 50_051 } },
    'services.bans has GRPC_PORT and METRICS_PORT on one port; they must differ.',
  ],
  [
    'default',
    { gateway: { settings: { METRICS_PORT: 8080 } } },
    'gateway has PORT and METRICS_PORT on one port; they must differ.',
  ],
  [
    'default',
    { defaults: { extraEnv: [{ name: 'LOG_LEVEL', value: 'debug' }] } },
    'services.bans.extraEnv sets LOG_LEVEL, which the chart sets itself',
  ],
  [
    'default',
    { gateway: { extraEnv: [{ name: 'REDIS_URL', value: 'redis://x' }] } },
    'gateway.extraEnv sets REDIS_URL, which the chart sets itself',
  ],
  [
    'default',
    { defaults: { extraEnv: [{ name: 'DATABASE_ADMIN_URL', value: 'postgres://admin:x@db/postgres' }] } },
    'defaults.extraEnv sets DATABASE_ADMIN_URL, which would give pods that take requests a login that may do everything',
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
    'services.bans.extraEnv sets DATABASE_ADMIN_URL, which would give pods',
  ],
  [
    'external',
    { gateway: { extraEnv: [{ name: 'DATABASE_ADMIN_URL', value: 'postgres://admin:x@db/postgres' }] } },
    'gateway.extraEnv sets DATABASE_ADMIN_URL, which would give pods',
  ],
  ['default', { tls: { enabled: true } }, 'tls.enabled is true, but there is no certificate: give tls.existingSecret'],
  [
    'default',
    { tls: { certManager: { enabled: true, issuerRef: { name: 'shops' } } } },
    'tls.enabled is false, so the certificates of tls.existingSecret or tls.certManager would protect nothing',
  ],
  [
    'external',
    { tls: { certManager: { enabled: true, issuerRef: { name: 'shops' } } } },
    'tls.existingSecret and tls.certManager.enabled are both set',
  ],
  ['external', { tls: { existingSecret: 'storekeep-tls' } }, 'tls.existingSecret must contain {component}'],
  [
    'ha',
    { tls: { certManager: { issuerRef: { name: '' } } } },
    'tls.certManager.issuerRef.name does not say who issues the certificates.',
  ],
  [
    'ha',
    { tls: { certManager: { duration: '700h' } } },
    'tls.certManager.renewBefore is not shorter than duration, so certificates would be renewed all the time.',
  ],
  [
    'external',
    { defaults: { extraEnv: [{ name: 'GRPC_TLS_CALLERS', value: 'anybody' }] } },
    'services.bans.extraEnv sets GRPC_TLS_CALLERS, which the chart sets itself',
  ],
  ['default', { image: { tag: 'latest' } }, 'image.tag is latest, which says nothing about what runs'],
  ['default', ownImage, 'bundled.redis.image.tag is latest, which says nothing about what runs'],
  ['external', { ingress: { hosts: [] } }, 'ingress.enabled is true, but ingress.hosts names no host.'],
  ['ha', { httpRoute: { parentRefs: [] } }, 'httpRoute.enabled is true, but httpRoute.parentRefs names no Gateway.'],
  ['ha', { httpRoute: { hostnames: [] } }, 'httpRoute.enabled is true, but httpRoute.hostnames names no host.'],
  [
    'minimal',
    { serviceAccount: { name: '' } },
    'serviceAccount.create is false, so serviceAccount.name must say which account the pods run as.',
  ],
  [
    'external',
    { networkPolicy: { metricsFrom: [] } },
    'metrics.serviceMonitor is enabled, but networkPolicy.metricsFrom lets nobody in',
  ],
  [
    'default',
    { metrics: { prometheusRule: { enabled: true } } },
    'metrics.prometheusRule is enabled, but no Prometheus reads the metrics',
  ],
  [
    'bundled',
    { migrations: { useHelmHooks: true } },
    'bundled.postgres is not there yet when Helm hooks run; set migrations.useHelmHooks to false.',
  ],
  [
    'bundled',
    { migrations: { enabled: false } },
    'bundled.postgres begins empty and only the migrations Job makes roles in it',
  ],
  [
    'bundled',
    { secrets: { NATS_URL: { value: 'nats://mine' } } },
    'bundled.nats is enabled and secrets.NATS_URL names a server of yours; keep one of them.',
  ],
]

describe.skipIf(whyNoHelm)(`wrong values (${whyNoHelm ?? 'by Helm'})`, () => {
  it.each(misfits)('are refused by the schema: %j', async (values, said) => {
    expect(await refusal('default', values)).toContain(said)
  })

  it.each(contradictions)('are refused with a sentence: %s and %j', async (scenario, values, said) => {
    expect(await refusal(scenario, values)).toContain(said)
  })

  it('are not shares of which a pod is left over', async () => {
    const half = await render('default', { defaults: { podDisruptionBudget: { minAvailable: '50%' } } })
    expect(half.one('PodDisruptionBudget', 'shop-storekeep-bans').spec.minAvailable).toBe('50%')
  })

  it('are told of once, whoever needs them', async () => {
    const said = await refusal('default', { secrets: { NATS_URL: { value: '' } } })
    expect(said.split('secrets.NATS_URL is missing')).toHaveLength(2)
  })

  it('are told of all at once', async () => {
    const said = await refusal('default', { image: { tag: 'latest' }, publicBaseUrl: '' })
    expect(said).toContain('image.tag is latest')
    expect(said).toContain('PORTAL_BASE_URL is missing')
  })

  it('are told without quoting a secret', async () => {
    const secrets = { stores: { secrets: { DATABASE_URL: { value: 'mysql://stores:hunter2@db/x' } } } }
    expect(await refusal('default', { services: secrets })).not.toContain('hunter2')
  })
})
