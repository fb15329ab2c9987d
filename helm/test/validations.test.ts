import { beforeAll, expect, it } from 'vitest'
import { codeServices } from './src/code.ts'
import { evaluate } from './src/evaluate.ts'
import { chart, describeWithHelm, runHelm } from './src/helm.ts'
import { newestKubernetes, render, renderError } from './src/render.ts'
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
    { defaults: { replicaCount: 1 } },
    'defaults: 1 pods and a podDisruptionBudget that requires 1 available pods, so nodes can never be drained',
  ],
  [
    'default',
    { gateway: { replicaCount: 1 } },
    'gateway: 1 pods and a podDisruptionBudget that requires 1 available pods',
  ],
  [
    'default',
    autoscaling({ minReplicas: 1 }),
    'services.bans: 1 pods and a podDisruptionBudget that requires 1 available pods',
  ],
  [
    'default',
    { defaults: { podDisruptionBudget: { minAvailable: '100%' } } },
    'defaults: 2 pods and a podDisruptionBudget that requires 2 available pods',
  ],
  [
    'default',
    { defaults: { podDisruptionBudget: { minAvailable: '51%' } } },
    'defaults: 2 pods and a podDisruptionBudget that requires 2 available pods',
  ],
  [
    'default',
    { gateway: { replicaCount: 1, podDisruptionBudget: { minAvailable: '50%' } } },
    'gateway: 1 pods and a podDisruptionBudget that requires 1 available pods, so nodes can never be drained',
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
    { defaults: { resources: { requests: { cpu: null } }, autoscaling: { enabled: true } } },
    'defaults.autoscaling targets a percentage of the requested CPU, but resources.requests.cpu is not set.',
  ],
  [
    'default',
    { defaults: { updateStrategy: { maxSurge: 0 } } },
    'defaults.updateStrategy sets both maxUnavailable and maxSurge to 0',
  ],
  [
    'default',
    { defaults: { updateStrategy: { maxSurge: '0%', maxUnavailable: '0%' } } },
    'defaults.updateStrategy sets both maxUnavailable and maxSurge to 0',
  ],
  // Eight services of 20 and search of 34, each with two pods and one of a rollout, nine migrations and three reserved.
  [
    'default',
    { database: { maxConnections: 593 } },
    'database.maxConnections is 593, but the pods may open 594 connections at the maximum of the autoscalers, including the additional pods of a rollout (bans 3 x 20, checkout 3 x 20, coupons 3 x 20, custom-variables 3 x 20, customers 3 x 20, orders 3 x 20, search 3 x 34, stores 3 x 20, webhooks 3 x 20, migrations 9, reserved for administrators 3). Raise',
  ],
  [
    'default',
    { database: { maxConnections: 753 }, ...autoscaling({ minReplicas: 2, maxReplicas: 10 }) },
    '(bans 11 x 20, checkout 3 x 20',
  ],
  [
    'default',
    { database: { maxConnections: 594 }, defaults: { updateStrategy: { maxSurge: '51%' } } },
    '(bans 4 x 20, checkout 4 x 20',
  ],
  [
    'default',
    { database: { maxConnections: 600, maxConnectionsOf: { search: 105 } } },
    'database.maxConnectionsOf.search is 105, but the pods may open 106 connections',
  ],
  [
    'default',
    { database: { maxConnectionsOf: { gateway: 100 } } },
    'database.maxConnectionsOf.gateway is not a service of this release.',
  ],
  [
    'default',
    { serviceSettings: { DATABASE_POOL_SIZE: 10 } },
    'serviceSettings.DATABASE_POOL_SIZE is now DATABASE_CONNECTIONS',
  ],
  [
    'default',
    { services: { search: { settings: { DATABASE_POOL_SIZE: 24 } } } },
    'services.search.settings.DATABASE_POOL_SIZE is now DATABASE_CONNECTIONS',
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
  ['default', { nats: { auth: { existingSecret: 'x' } } }, 'nats.auth has an existingSecret but no key; set'],
  [
    'default',
    { nats: { auth: { existingSecret: 'x', credsKey: 'creds', nkeyKey: 'seed' } } },
    'nats.auth has both credsKey and nkeyKey; remove one of them.',
  ],
  ['default', { nats: { auth: { credsKey: 'creds' } } }, 'nats.auth has a key but no existingSecret'],
  [
    'default',
    { nats: { tls: { existingSecret: 'x', caKey: '', certKey: '', keyKey: '' } } },
    'nats.tls has an existingSecret but no key; set',
  ],
  ['default', { nats: { tls: { existingSecret: 'x', keyKey: '' } } }, 'nats.tls has only one of certKey and keyKey'],
  [
    'bundled',
    { nats: { tls: { existingSecret: 'x' } } },
    'bundled.nats is enabled, which has its own passwords and no TLS; remove nats.auth.existingSecret',
  ],
  ['external', { generateSecrets: true }, 'existingSecret and generateSecrets are mutually exclusive'],
  [
    'default',
    { publicBaseUrl: '' },
    'services.checkout.settings.CHECKOUT_BASE_URL and services.customers.settings.PORTAL_BASE_URL are missing; set publicBaseUrl',
  ],
  [
    'default',
    { services: { customers: { settings: { PROFILE_PROVIDERS: 'steam' } } } },
    'services.customers.settings.PROFILE_PROVIDERS includes steam, which requires services.customers.secrets.STEAM_API_KEY.',
  ],
  [
    'default',
    { serviceSettings: { METRICS_PORT: 50_051 } },
    'serviceSettings uses the same port for GRPC_PORT and METRICS_PORT',
  ],
  [
    'default',
    { gateway: { settings: { METRICS_PORT: 8080 } } },
    'gateway uses the same port for PORT and METRICS_PORT',
  ],
  [
    'default',
    { defaults: { extraEnv: [{ name: 'LOG_LEVEL', value: 'debug' }] } },
    'defaults.extraEnv sets LOG_LEVEL, which the chart manages',
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
    'defaults.extraEnv sets GRPC_TLS_CALLERS, which the chart manages',
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
    'The pages are at http://pay.example.org/checkout and http://pay.example.org/portal, but browsers keep the cookie of the portal only over HTTPS',
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
  ['default', { pages: { replicaCount: 1 } }, 'pages: 1 pods and a podDisruptionBudget that requires 1 available pods'],
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

const volume = { name: 'ca', configMap: { name: 'ca' } }
const mounts = (path: string, ...where: { mountPath: string }[]) => ({
  [path]: { extraVolumes: [volume], extraVolumeMounts: where.map((mount) => ({ name: 'ca', ...mount })) },
})
const databaseUrl = (service: string, value: string) => ({
  services: { [service]: { secrets: { DATABASE_URL: { value } } } },
})
const parts = (entry: object) => ({ services: { bans: { secrets: { DATABASE_URL: entry } } } })
const database = {
  existingSecret: 'bans-db',
  userKey: 'username',
  passwordKey: 'password',
  host: 'pg',
  port: 6432,
  database: 'storekeep',
}
const redisParts = (entry: object, sentinelPort: number | null = 26_379) => ({
  networkPolicy: { redis: { sentinelPort } },
  secrets: { REDIS_URL: { existingSecret: 'redis', key: '', passwordKey: 'password', host: 'a', ...entry } },
})
const key = 'D'.repeat(43)
const labelRule = "a label; use up to 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends."

const otherCell = (fields: object = {}) => ({ cell: 1, release: 'shop-1', namespace: 'shops-1', ...fields })
const gatewayRelease = { release: 'front' }

/** One mistake each, and the whole error: values that the cluster or a process would reject later. */
const mistakes: [values: object, error: string, scenario?: Scenario][] = [
  [
    { cells: [otherCell(), otherCell({ release: 'shop-2' })] },
    'cells[1].cell is 1, as in cells[0]; each cell has one release, so remove one of them.',
  ],
  [
    { cells: [otherCell({ cell: 0 })] },
    'cells[0].cell is 0, as in this release; each cell has one release, so remove one of them.',
  ],
  [
    { cells: [otherCell(), otherCell({ cell: 2 })] },
    'cells[1] is the release shop-1 in namespace shops-1, as cells[0]; each cell has its own release.',
  ],
  [
    { cells: [{ cell: 1, release: 'shop' }] },
    'cells[0] is the release shop in namespace shops, as this release; each cell has its own release.',
  ],
  [
    { cells: [{ cell: 1 }] },
    'cells[0] does not say where the services of cell 1 are; set release, and namespace if it is another one, or addresses.',
  ],
  [
    { cells: [otherCell({ addresses: { stores: 'stores:50051' } })] },
    'cells[0] has both release and addresses; remove one of them.',
  ],
  [
    { cells: [{ cell: 1, addresses: { stores: 'stores:50051', checkout: 'checkout:50051' } }] },
    'cells[0].addresses has no address of bans, coupons, custom-variables, customers, orders, search, webhooks.',
  ],
  [
    { cells: [otherCell({ to: [{ ipBlock: { cidr: '10.9.0.1' } }] })] },
    'cells[0].to[0].ipBlock.cidr is 10.9.0.1, which has no prefix length; use 10.9.0.1/32 for this address alone.',
  ],
  [
    { cell: 'none', cells: [otherCell()] },
    'cells does not contain cell 0, which the gateway of this release must serve, too; add it.',
    'ha',
  ],
  [
    { cell: 1, gateway: { enabled: true } },
    'cells does not contain cell 0, which the gateway of this release must serve, too; add it, or set gateway.enabled to false if that of another release serves this cell.',
  ],
  [
    { cell: 'none', cells: [otherCell({ cell: 0 })], gateway: { enabled: false }, pages: { enabled: false } },
    'cell is none, and gateway.enabled and pages.enabled are false, so this release has no pods; enable one of them, or set cell to a number.',
    'default',
  ],
  [
    { cell: 1, gatewayRelease, cells: [otherCell({ cell: 0 })] },
    'cells is set, but only the gateway and the pages read it, and this release has neither; remove it, or set gateway.enabled to true.',
  ],
  [
    { cell: 1 },
    'gatewayRelease.release is empty, but this release has no gateway; set it to the release whose gateway calls these services.',
  ],
  [
    { gateway: { enabled: false } },
    'gatewayRelease.release is empty, but this release has no gateway; set it to the release whose gateway calls these services.',
  ],
  [
    { gatewayRelease },
    'gatewayRelease.release is front, but this release has its own gateway; remove gatewayRelease, or set gateway.enabled to false.',
  ],
  [
    { cell: 1, gatewayRelease, pages: { ingress: { enabled: false } } },
    'ingress.enabled is true, but this release has no gateway; set it to false, or gateway.enabled to true.',
    'external',
  ],
  [
    { cell: 1, gatewayRelease, ingress: { enabled: false } },
    'pages.ingress.enabled is true, but this release has no pages; set it to false, or pages.enabled to true.',
    'external',
  ],
  [
    { cells: [otherCell()], secrets: { CALL_SECRET: { value: key } } },
    'bundled.redis.enabled is true, but all cells share one Redis and the bundled one serves this release only; set it to false, and secrets.REDIS_URL.',
    'bundled',
  ],
  [
    {
      cells: [otherCell()],
      bundled: { redis: { enabled: false } },
      secrets: { REDIS_URL: { value: 'redis://:x@redis:6379' } },
    },
    'secrets.CALL_SECRET would be generated for this release, but services accept calls of a gateway in another release only with the same one; set secrets.CALL_SECRET.',
    'bundled',
  ],
  [
    {
      cell: 'none',
      cells: [otherCell({ cell: 0 })],
      bundled: { redis: { enabled: false }, nats: { enabled: false } },
      secrets: { CALL_SECRET: { value: key }, REDIS_URL: { value: 'redis://:x@redis:6379' } },
    },
    'bundled.postgres.enabled is true, but cell is none, so no process uses it; set it to false.',
    'bundled',
  ],
  [
    { defaults: { resources: { requests: { memory: '1Gi' } } } },
    'defaults.resources.requests.memory is 1Gi, which is more than the limit of 384Mi; lower it, or raise limits.memory.',
  ],
  [
    { services: { bans: { resources: { requests: { cpu: '600m' }, limits: { cpu: 0.5 } } } } },
    'services.bans.resources.requests.cpu is 600m, which is more than the limit of 0.5; lower it, or raise limits.cpu.',
  ],
  [
    { migrations: { resources: { limits: { memory: '64Mi' } } } },
    'migrations.resources.requests.memory is 96Mi, which is more than the limit of 64Mi; lower it, or raise limits.memory.',
  ],
  [
    { adminTools: { resources: { limits: { memory: 256 } } } },
    'adminTools.resources.limits.memory is 256, which has no unit of size; add one, such as 256Mi.',
    'minimal',
  ],
  [
    { gateway: { resources: { limits: { memory: '384m' } } } },
    'gateway.resources.limits.memory is 384m, which has no unit of size; add one, such as 384Mi.',
  ],
  [
    { defaults: { resources: { requests: { cpu: '100Mi' } } } },
    'defaults.resources.requests.cpu is 100Mi, which is not a number of CPUs; use one such as 500m.',
  ],
  [
    { bundled: { postgres: { storage: '8' } } },
    'bundled.postgres.storage is 8, which has no unit of size; add one, such as 8Gi.',
  ],
  [
    { defaults: { extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }] } },
    'defaults.extraVolumeMounts[0] mounts the volume ca, which does not exist; add it to extraVolumes.',
  ],
  [
    mounts('gateway', { mountPath: '/app/certs' }),
    'gateway.extraVolumeMounts[0].mountPath is /app/certs, which would hide files that the process needs; choose a folder outside /app, such as /etc/ca.',
  ],
  [
    mounts('defaults', { mountPath: '/tmp/' }),
    'defaults.extraVolumeMounts[0].mountPath is /tmp/, which would hide files that the process needs; choose a folder outside /app, such as /etc/ca.',
  ],
  [
    mounts('defaults', { mountPath: '/etc/storekeep/nats' }),
    'defaults.extraVolumeMounts[0].mountPath is /etc/storekeep/nats, which would hide files that the process needs; choose a folder outside /app, such as /etc/ca.',
  ],
  [
    mounts('defaults', { mountPath: '/' }),
    'defaults.extraVolumeMounts[0].mountPath is /, which would hide files that the process needs; choose a folder outside /app, such as /etc/ca.',
  ],
  [
    mounts('defaults', { mountPath: 'etc/ca' }),
    "defaults.extraVolumeMounts[0].mountPath is etc/ca, which is not an absolute path without ':'.",
  ],
  [
    mounts('defaults', { mountPath: '/etc/ca' }, { mountPath: '/etc/ca/' }),
    'defaults.extraVolumeMounts[1].mountPath is /etc/ca/, where another volume is mounted; choose another folder.',
  ],
  [
    { pages: { extraVolumes: [volume, volume] } },
    'pages.extraVolumes contains ca twice; rename or remove one of them.',
  ],
  [
    {
      defaults: {
        extraEnv: [
          { name: 'TZ', value: 'UTC' },
          { name: 'TZ', value: 'Europe/Paris' },
        ],
      },
    },
    'defaults.extraEnv sets TZ twice; remove one of them.',
  ],
  [
    { gateway: { service: { port: 9464 } } },
    'gateway.service.port is 9464, which is also METRICS_PORT; the ports of a Service must differ.',
  ],
  [
    { networkPolicy: { postgres: { to: [{ ipBlock: { cidr: '10.1.0.5' } }] } } },
    'networkPolicy.postgres.to[0].ipBlock.cidr is 10.1.0.5, which has no prefix length; use 10.1.0.5/32 for this address alone.',
  ],
  [
    { networkPolicy: { extraEgress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/33'] } }] }] } },
    'networkPolicy.extraEgress[0].to[0].ipBlock.except is 10.1.0.0/33, which has a prefix length above 32.',
  ],
  [
    { networkPolicy: { gatewayFrom: [{ ipBlock: { cidr: 'fd00::1' } }] } },
    'networkPolicy.gatewayFrom[0].ipBlock.cidr is fd00::1, which has no prefix length; use fd00::1/128 for this address alone.',
  ],
  [
    { networkPolicy: { redis: { to: [{ podSelector: { matchLabels: { app: 'valkey 8' } } }] } } },
    `networkPolicy.redis.to[0].podSelector.matchLabels.app is "valkey 8", which is not the value of ${labelRule}`,
  ],
  [
    { networkPolicy: { internet: { except: ['10.0.0.256/8'] } } },
    'networkPolicy.internet.except[0] is 10.0.0.256/8, which does not start with an IP address.',
  ],
  [
    { gateway: { settings: { TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.1/64' } } },
    'gateway.settings.TRUSTED_PROXIES contains 10.0.0.1/64, which has a prefix length above 32.',
  ],
  [
    { pages: { settings: { TRUSTED_PROXIES: 'fd00::/129' } } },
    'pages.settings.TRUSTED_PROXIES contains fd00::/129, which has a prefix length above 128.',
  ],
  [
    { services: { webhooks: { settings: { WEBHOOKS_ALLOWED_NETWORKS: '10.1.0.0/16,10.2.0.1,10.2.0.0/33' } } } },
    'services.webhooks.settings.WEBHOOKS_ALLOWED_NETWORKS contains 10.2.0.0/33, which has a prefix length above 32.',
  ],
  [
    { gateway: { settings: { TRUSTED_PROXIES: '10.0.0/8,::1' } } },
    'gateway.settings.TRUSTED_PROXIES contains 10.0.0/8, which does not start with an IP address.',
  ],
  [
    { defaults: { tolerations: [{ key: 'pool', operator: 'Exists', value: 'shops' }] } },
    'defaults.tolerations[0] has the operator Exists and the value "shops"; remove one of them, because Exists matches every value.',
  ],
  [
    { services: { bans: { tolerations: [{ effect: 'NoSchedule' }] } } },
    'services.bans.tolerations[0] has no key; set it, or the operator to Exists to tolerate all taints.',
  ],
  [
    { defaults: { tolerations: [{ key: 'pool', operator: 'Exists', tolerationSeconds: 60 }] } },
    'defaults.tolerations[0].tolerationSeconds requires the effect NoExecute; set it, or remove tolerationSeconds.',
  ],
  [
    { commonLabels: { team: 'shops & co' } },
    `commonLabels.team is "shops & co", which is not the value of ${labelRule}`,
  ],
  [
    { defaults: { podLabels: { team: 'shops-' } } },
    `defaults.podLabels.team is "shops-", which is not the value of ${labelRule}`,
  ],
  [
    { gateway: { nodeSelector: { pool: 'a/b' } } },
    `gateway.nodeSelector.pool is "a/b", which is not the value of ${labelRule}`,
  ],
  [
    { commonLabels: { 'the team': 'shops' } },
    `commonLabels has the key "the team", which is not the name of a label; use up to 63 letters, digits, '-', '_' and '.', optionally after a domain and '/'.`,
  ],
  [
    { metrics: { dashboards: { labels: { grafana_dashboard: 'yes!' } } } },
    `metrics.dashboards.labels.grafana_dashboard is "yes!", which is not the value of ${labelRule}`,
  ],
  [{ defaults: { replicas: 3 } }, 'defaults.replicas is now defaults.replicaCount; rename it.'],
  [
    { services: { bans: { topologySpread: { keys: ['zone'] } } } },
    'services.bans.topologySpread is now services.bans.topologySpreadConstraints, a list as in a pod; write one entry with topologyKey, maxSkew and whenUnsatisfiable for each of its keys.',
  ],
  [
    { defaults: { podDisruptionBudget: { maxUnavailable: 0 } } },
    'defaults.podDisruptionBudget.maxUnavailable is 0, so nodes can never be drained; raise it or set podDisruptionBudget.enabled to false.',
  ],
  [
    { metrics: { serviceMonitor: { interval: '1m', scrapeTimeout: '90s' } } },
    'metrics.serviceMonitor.scrapeTimeout is 90s, which is longer than the interval of 1m; shorten it.',
  ],
  [
    { migrations: { serviceAccount: { create: true, name: 'shop-storekeep' } } },
    'migrations.serviceAccount.name is the service account of the pods; choose another name, or set migrations.serviceAccount.create to false.',
  ],
  [
    { migrations: { podLabels: { team: '-' } } },
    `migrations.podLabels.team is "-", which is not the value of ${labelRule}`,
  ],
  [
    { services: { bans: { image: { tag: 'latest' } } } },
    'services.bans.image.tag must not be latest, which does not identify a version; set a version or a digest.',
  ],
  [
    { gateway: { image: { registry: 'http://images' } } },
    'gateway.image.registry is http://images, which is not a host name with an optional port and path; use one without scheme and final slash, such as images.',
  ],
  [{ extraObjects: [{ metadata: { name: 'x' } }] }, 'extraObjects[0] has no apiVersion and no kind.'],
  [
    { extraObjects: ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n---\napiVersion: v1\nkind: ConfigMap'] },
    'extraObjects[0] has no metadata.name.',
  ],
  [
    { image: { registry: 'https://registry.example.org/' } },
    'image.registry is https://registry.example.org/, which is not a host name with an optional port and path; use one without scheme and final slash, such as registry.example.org.',
  ],
  [
    { global: { imageRegistry: 'oci://mirror.example.org' } },
    'global.imageRegistry is oci://mirror.example.org, which is not a host name with an optional port and path; use one without scheme and final slash, such as mirror.example.org.',
  ],
  [
    databaseUrl('bans', 'postgres://storekeep_bans@postgres.databases:5432/storekeep'),
    'services.bans.secrets.DATABASE_URL has no password; use a URL such as postgres://storekeep_bans:password@host:5432/storekeep.',
  ],
  [
    { secrets: { DATABASE_ADMIN_URL: { value: 'postgres://postgres.databases:5432/postgres' } } },
    'secrets.DATABASE_ADMIN_URL has no password; use a URL such as postgres://admin:password@host:5432/postgres.',
  ],
  [
    databaseUrl('search', 'postgres://storekeep_bans:x@postgres.databases:5432/storekeep'),
    "services.search.secrets.DATABASE_URL has the same role as services.bans, so each could read the other's schema; give the service its own role, such as storekeep_search.",
  ],
  [
    {
      services: {
        bans: { secrets: { DATABASE_URL: { existingSecret: 'app', key: 'uri' } } },
        customers: { secrets: { DATABASE_URL: { existingSecret: 'app' } } },
      },
    },
    "services.customers.secrets.DATABASE_URL has the same role as services.bans, so each could read the other's schema; give the service its own role, such as storekeep_customers.",
    'external',
  ],
  [
    databaseUrl('bans', 'postgres://admin:x@postgres.databases:5432/storekeep'),
    'services.bans.secrets.DATABASE_URL has the role admin of secrets.DATABASE_ADMIN_URL, which may read all schemas; give the service its own role, such as storekeep_bans.',
  ],
  [
    parts({ host: 'pg', database: 'x', userKey: 'u' }),
    'services.bans.secrets.DATABASE_URL has userKey but no passwordKey; set it to the key of the password, or remove userKey.',
    'external',
  ],
  [
    parts({ ...database, existingSecret: '' }),
    'services.bans.secrets.DATABASE_URL has a passwordKey but no existingSecret; set existingSecret.',
    'external',
  ],
  [
    parts({ ...database, key: 'uri' }),
    'services.bans.secrets.DATABASE_URL has both key, for a whole URL, and passwordKey, for its parts; remove one of them.',
    'external',
  ],
  [
    parts({ ...database, host: '' }),
    'services.bans.secrets.DATABASE_URL has no host; set host, or hostKey to the key of the host.',
    'external',
  ],
  [
    parts({ ...database, userKey: '' }),
    'services.bans.secrets.DATABASE_URL has no userKey; set it to the key of the user.',
    'external',
  ],
  [
    parts({ ...database, database: '' }),
    'services.bans.secrets.DATABASE_URL has no database; set database, or databaseKey to the key of its name.',
    'external',
  ],
  [
    redisParts({ cluster: true, sentinelMaster: 'shop' }),
    'secrets.REDIS_URL has both cluster and sentinelMaster; remove one of them.',
    'external',
  ],
  [
    redisParts({ host: 'a,b' }),
    'secrets.REDIS_URL lists several hosts; set sentinelMaster if they are sentinels, or cluster if they are nodes of a Cluster.',
    'external',
  ],
  [
    redisParts({ sentinelPasswordKey: 'other' }),
    'secrets.REDIS_URL has sentinelPasswordKey but no sentinelMaster; set it to the name of the master, or remove sentinelPasswordKey.',
    'external',
  ],
  [
    redisParts({ sentinelMaster: 'shop', sentinelUserKey: 'reader' }),
    "secrets.REDIS_URL has sentinelUserKey but no sentinelPasswordKey; set it to the key of the sentinels' password.",
    'external',
  ],
  [
    redisParts({ sentinelMaster: 'shop' }, null),
    'networkPolicy.redis.sentinelPort is not set, but secrets.REDIS_URL uses port 26379; traffic to other ports is denied, so set networkPolicy.redis.sentinelPort to 26379.',
    'external',
  ],
  [
    parts({ ...database, host: 'a,b', cluster: true }),
    'services.bans.secrets.DATABASE_URL has cluster, which only secrets.REDIS_URL can have; remove it.',
    'external',
  ],
  [
    { secrets: { REDIS_URL: { existingSecret: 'redis', cluster: true } } },
    'secrets.REDIS_URL has cluster but no passwordKey; set it to the key of the password, or remove cluster.',
    'external',
  ],
  [
    parts({ ...database, port: 5433 }),
    'networkPolicy.postgres.port is 6432, but services.bans.secrets.DATABASE_URL uses port 5433; traffic to other ports is denied, so set networkPolicy.postgres.port to 5433.',
    'external',
  ],
  [
    { defaults: { extraEnv: [{ name: 'DATABASE_USER', value: 'postgres' }] } },
    'defaults.extraEnv sets DATABASE_USER, which the chart manages; use settings or secrets.',
  ],
  [
    { networkPolicy: { postgres: { port: 6432 } } },
    `networkPolicy.postgres.port is 6432, but services.bans.secrets.DATABASE_URL (and ${codeServices.length - 1} more) uses port 5432; traffic to other ports is denied, so set networkPolicy.postgres.port to 5432.`,
  ],
  [
    databaseUrl('bans', 'postgres://storekeep_bans:x@pg-a:5432,pg-b:5433/storekeep'),
    'networkPolicy.postgres.port is 5432, but services.bans.secrets.DATABASE_URL uses port 5433; traffic to other ports is denied, so set networkPolicy.postgres.port to 5433.',
  ],
  [
    { secrets: { MIGRATIONS_DATABASE_URL: { value: 'postgres://postgres.databases:5433/storekeep' } } },
    'networkPolicy.postgres.migrationsPort is 5432, but secrets.MIGRATIONS_DATABASE_URL uses port 5433; traffic to other ports is denied, so set networkPolicy.postgres.migrationsPort to 5433.',
  ],
  [
    {
      migrations: { enabled: false },
      secrets: { MIGRATIONS_DATABASE_URL: { value: 'postgres://postgres.databases:5432/storekeep' } },
    },
    'secrets.MIGRATIONS_DATABASE_URL is set, but only the migrations Job uses it; set migrations.enabled to true, or remove it.',
  ],
  [
    { secrets: { REDIS_URL: { value: 'rediss://:x@redis.caches:6380' } } },
    'networkPolicy.redis.port is 6379, but secrets.REDIS_URL uses port 6380; traffic to other ports is denied, so set networkPolicy.redis.port to 6380.',
  ],
  [
    { secrets: { REDIS_URL: { value: 'redis+sentinel://:x@a.caches,b.caches/?master=shop' } } },
    'networkPolicy.redis.sentinelPort is not set, but secrets.REDIS_URL uses port 26379; traffic to other ports is denied, so set networkPolicy.redis.sentinelPort to 26379.',
  ],
  [
    { secrets: { REDIS_URL: { value: 'redis+cluster://:x@a.caches,b.caches:6380' } } },
    'networkPolicy.redis.port is 6379, but secrets.REDIS_URL uses port 6380; traffic to other ports is denied, so set networkPolicy.redis.port to 6380.',
  ],
  [
    { services: { customers: { secrets: { TOKEN_KEYS: { value: `1:${key},1:${key}` } } } } },
    'services.customers.secrets.TOKEN_KEYS uses an id twice: 1, 1; give each key its own.',
  ],
]

/** Values that resemble the mistakes above. */
const valid = {
  enabled: true,
  'x-anchors': { anything: [1] },
  commonLabels: { 'example.org/cost_centre': '' },
  defaults: {
    resources: { requests: { cpu: '500m', memory: '0.5Gi' }, limits: { cpu: 0.5, memory: '512Mi' } },
    tolerations: [
      { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
      { key: 'pool', value: 'x' },
    ],
    extraVolumes: [volume],
    extraVolumeMounts: [
      { name: 'ca', mountPath: '/etc/ca' },
      { name: 'tmp', mountPath: '/tmp/cache' },
      { name: 'ca', mountPath: '/application' },
    ],
  },
  gateway: { settings: { TRUSTED_PROXIES: '10.0.0.1, fd00::/8,2001:db8:0:0:0:0:0:1,::ffff' } },
  networkPolicy: {
    postgres: { to: [{ ipBlock: { cidr: '10.1.0.5/32', except: ['10.1.0.5/32'] } }] },
    nats: { to: [{ ipBlock: { cidr: 'fd00::/8' } }] },
    redis: { sentinelPort: 26_379 },
  },
  secrets: { REDIS_URL: { value: 'rediss+sentinel://u:x@a,b:26379/?master=shop' } },
  global: { imageRegistry: 'mirror.example.org:5000/cache' },
  services: {
    customers: { secrets: { TOKEN_KEYS: { value: `1:${key},2:${key}` } } },
    // The same name of a role on another server is another role.
    bans: { secrets: { DATABASE_URL: { value: 'postgresql://storekeep_stores:x@bans-db/storekeep?sslmode=require' } } },
  },
  cells: [otherCell(), otherCell({ cell: 63, release: 'shop' }), otherCell({ cell: 2, namespace: '' })],
  extraObjects: ['# nothing here\n', '---\napiVersion: v1\nkind: Pod\nmetadata: {generateName: x}\n---\n'],
}

const expression = 'include "storekeep.validationErrors" $root | fromJsonArray | default list'

describeWithHelm('validations', () => {
  let errors: unknown[]
  let errorsOfMistakes: unknown[]

  beforeAll(async () => {
    const cases = mistakes.map(([values, , scenario = 'default']) => ({ scenario, values, expression }))
    ;[errors, errorsOfMistakes] = await Promise.all([
      evaluate(invalidCombinations.map(([scenario, values]) => ({ scenario, values, expression }))),
      evaluate(cases),
    ])
  })

  it.each(invalidCombinations.map(([scenario, values, error], index) => ({ scenario, values, error, index })))(
    'reject $scenario with $values',
    ({ error, index }) => {
      expect(errors[index]).toEqual([expect.stringContaining(error)])
    },
  )

  it.each(mistakes.map(([values, error], index) => ({ values, error, index })))(
    'report one line for $values',
    ({ error, index }) => {
      expect(errorsOfMistakes[index]).toEqual([error])
    },
  )

  it('accept every scenario and values close to a mistake', async () => {
    const cases = [
      ...scenarios.map((scenario) => ({ scenario, values: {} })),
      { scenario: 'default' as const, values: valid },
    ]
    expect(await evaluate(cases.map((one) => ({ ...one, expression })))).toEqual(cases.map(() => []))
  })

  it('name each missing setting once, with the services that need it', async () => {
    const [found] = await evaluate([{ scenario: 'minimal', values: { existingSecret: '' }, expression }])
    expect(found).toEqual([
      expect.stringMatching(/^services\.stores\.secrets\.API_KEY_PEPPER is missing: /),
      expect.stringMatching(/^secrets\.CALL_SECRET is missing, /),
      expect.stringMatching(/^services\.<name>\.secrets\.DATABASE_URL is missing for bans, checkout, .*, stores, /),
      expect.stringMatching(/^services\.<name>\.secrets\.ENCRYPTION_KEY is missing for bans, checkout, /),
      expect.stringMatching(/^secrets\.NATS_URL is missing: /),
      expect.stringMatching(/^secrets\.REDIS_URL is missing: /),
      expect.stringMatching(/^services\.customers\.secrets\.TOKEN_KEYS is missing: /),
    ])
  })

  it('answer an installation without values with flags that work', async () => {
    const flags = ['--namespace', 'shops', '--kube-version', newestKubernetes]
    const { code, stderr } = await runHelm('template', 'shop', chart, ...flags)
    expect(code).toBe(1)
    const [lines = ''] = stderr.split('\n\n')
    expect(lines.split('\n')).toHaveLength(2)
    const [, set = ''] = /add: --set (\S+)/.exec(lines) ?? []
    const trial = await runHelm('template', 'shop', chart, ...flags, '--set', set)
    expect([trial.code, trial.stderr]).toEqual([0, ''])
  })

  it('accept a percentage that leaves one pod to evict', async () => {
    const half = await render('default', { defaults: { podDisruptionBudget: { minAvailable: '50%' } } })
    expect(half.one('PodDisruptionBudget', 'shop-storekeep-bans').spec.minAvailable).toBe('50%')
  })

  it('stop the installation and report every error once', async () => {
    const values = { image: { tag: 'latest' }, publicBaseUrl: '', secrets: { NATS_URL: { value: '' } } }
    const message = await renderError('default', values)
    expect(message).toContain('The values are invalid:\n- image.tag must not be latest')
    expect(message).toContain('PORTAL_BASE_URL are missing')
    // Every service needs this setting.
    expect(message.split('secrets.NATS_URL is missing')).toHaveLength(2)
  })
})
