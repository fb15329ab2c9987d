import { services } from '@storekeep/local/services'
import { kubernetesDefinitions } from './kubernetes-definitions.ts'

/** The JSON schema of the chart's values. Helm rejects values that it does not allow, with a message that names them. */
export async function valuesSchema(): Promise<object> {
  const types = [...JSON.stringify([properties, component]).matchAll(/"#\/definitions\/(V\d\w+)"/g)]
  const kubernetes = await kubernetesDefinitions(types.map(([, type = '']) => type))
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Storekeep chart',
    ...object(properties),
    definitions: { component: object(component), resourceQuantity, ...kubernetes },
    // Keys for YAML anchors.
    patternProperties: { '^x-': {} },
  }
}

// ---- The kinds of schemas ----

type Schema = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, Schema | true>>

function object(properties: Properties, required: readonly string[] = []): Schema {
  return { type: 'object', additionalProperties: false, ...(required.length > 0 && { required }), properties }
}

function map(values: Schema, forbiddenKeys?: string): Schema {
  const names = forbiddenKeys && { propertyNames: { not: { pattern: forbiddenKeys } } }
  return { type: 'object', additionalProperties: values, ...names }
}

function list(items: Schema, minItems?: number): Schema {
  return { type: 'array', items, ...(minItems && { minItems }) }
}

function integer(minimum: number, maximum?: number): Schema {
  return { type: 'integer', minimum, ...(maximum && { maximum }) }
}

/** A string that matches the pattern or is empty. */
function emptyOr(pattern: string): Schema {
  return matching(`^$|${pattern}`)
}

function matching(pattern: string): Schema {
  return { type: 'string', pattern }
}

/** One property per name. */
function each(
  names: readonly string[],
  schemaOf: (name: string) => Schema,
  keyOf = (name: string) => name,
): Properties {
  return Object.fromEntries(names.map((name) => [keyOf(name), schemaOf(name)]))
}

/** The field of a Kubernetes object that holds a type: `configMap` of `ConfigMap`, `urlRewrite` of `URLRewrite`. */
function fieldName(type: string): string {
  return type.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z]+$|[A-Z])/, (start) => start.toLowerCase())
}

function oneOf(...values: readonly (string | boolean)[]): Schema {
  return { enum: values }
}

/** A Kubernetes type, by its name in the Kubernetes client. */
function kubernetes(type: string): Schema {
  return { $ref: `#/definitions/${type}` }
}

// ---- Values that several places have ----

const text: Schema = { type: 'string' }
const nonEmpty: Schema = { type: 'string', minLength: 1 }
const flag: Schema = { type: 'boolean' }
const anyObject: Schema = { type: 'object', additionalProperties: true }
const port = integer(1, 65_535)
const optionalPort: Schema = { type: ['integer', 'null'], minimum: 1, maximum: 65_535 }
/** An unprivileged process cannot listen on a port below 1024. */
const ownPort = integer(1024, 65_535)
const share: Schema = { type: ['integer', 'string'], minimum: 0, maximum: 10_000, pattern: '^(100|[1-9]?[0-9])%$' }
const optionalShare: Schema = { ...share, pattern: '^$|^(100|[1-9]?[0-9])%$' }
const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
const graceMs = integer(0, 600_000)
const ratio: Schema = { type: 'number', minimum: 0, maximum: 1 }
const hours = matching('^[1-9][0-9]{0,5}h$')
const duration = '^[0-9]+(ms|s|m|h)$'

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
const objectName = emptyOr('^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$')
const namespace = emptyOr(`^${label}$`)
const releaseName: Schema = { ...emptyOr('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$'), maxLength: 53 }
const fullname = emptyOr('^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$')
/** The name may contain `{component}`. */
const secretName = emptyOr('^[a-z0-9{]([-a-z0-9.{}]{0,251}[a-z0-9}])?$')
const secretKey = matching('^[-._a-zA-Z0-9]*$')

const url = emptyOr('^https?://[^\\s]+$')
/** Other text is appended to it. */
const baseUrl = emptyOr('^https?://[^\\s?#]+$')
const pagesUrl = emptyOr('^https?://[^\\s?#@]+$')
const host = '^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'
const hosts = list(matching(host))
const path = '^/(v1|docs|openapi\\.json)(/[^\\s]*)?$'
/** Excludes the whole internet. */
const networks: Schema = { ...matching('^[0-9a-fA-F.:/, ]*$'), not: { pattern: '/0+ *(,|$)' } }
const peers = list(kubernetes('V1NetworkPolicyPeer'))

const annotations = map(text)
const reservedLabels = '^(app\\.kubernetes\\.io|helm\\.sh)/'
const labels = map(text, reservedLabels)

const quantity = '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$'
const resourceQuantity: Schema = { type: ['number', 'string'], minimum: 0, pattern: quantity }
const quantities = map(kubernetes('resourceQuantity'))
const resources = object({ requests: quantities, limits: quantities })

const digest = emptyOr('^sha256:[0-9a-f]{64}$')
const repository = '^[a-z0-9]+([._/-][a-z0-9]+)*$'
const tag = '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}'
const pullPolicy = oneOf('Always', 'IfNotPresent', 'Never')
const requiredRepository: Schema = { ...matching(repository), minLength: 1 }
const image = object({
  registry: text,
  repository: requiredRepository,
  tag: emptyOr(`${tag}(@sha256:[0-9a-f]{64})?$`),
  digest,
})
const componentImage = object({ registry: text, repository: emptyOr(repository), tag: emptyOr(`${tag}$`), digest })
const pullSecret = { ...object({ name: nonEmpty }, ['name']), type: ['object', 'string'], minLength: 1 }

// ---- Secret settings ----

const key = '[A-Za-z0-9_-]{43}=?'
const keys = emptyOr(`^${key}(,${key})*$`)
const freeSecret = secret(text)

function secret(value: Schema): Schema {
  return object({ value, existingSecret: objectName, key: secretKey })
}

/** The URL of a server: complete, or from the keys of a Secret. */
function secretUrl(pattern: string, more: Properties, hostPattern = '^[-A-Za-z0-9._]*$'): Schema {
  const fromKeys = { userKey: secretKey, passwordKey: secretKey, hostKey: secretKey, portKey: secretKey }
  const given = { host: matching(hostPattern), port }
  return object({ value: emptyOr(pattern), existingSecret: secretName, key: secretKey, ...fromKeys, ...given, ...more })
}

const databaseUrl = secretUrl('^postgres(ql)?://[^\\s]+$', {
  database: matching('^[A-Za-z0-9._-]*$'),
  databaseKey: secretKey,
  parameters: matching('^[^\\s?#]*$'),
})
const natsUrl = secretUrl('^(nats|tls)://[^\\s]+$', { tls: flag })
const redisUrl = secretUrl(
  '^rediss?(\\+sentinel|\\+cluster)?://[^\\s]+$',
  {
    tls: flag,
    cluster: flag,
    sentinelMaster: matching('^[A-Za-z0-9._-]*$'),
    sentinelUserKey: secretKey,
    sentinelPasswordKey: secretKey,
  },
  '^[-A-Za-z0-9._]*(,[-A-Za-z0-9._]+)*$',
)
const databaseUrls = {
  DATABASE_URL: databaseUrl,
  DATABASE_REPLICA_URL: databaseUrl,
  MIGRATIONS_DATABASE_URL: databaseUrl,
}
const tokenKey = '[1-9][0-9]{0,2}:[A-Za-z0-9_-]{43}'
const secretsByFormat = { key: secret(keys), 'numbered-key': secret(emptyOr(`^${tokenKey}(,${tokenKey})*$`)) }

// ---- What every component has ----

const probe = object({
  periodSeconds: integer(1, 300),
  failureThreshold: integer(1, 1000),
  timeoutSeconds: integer(1, 60),
})
const variable = object(
  { name: matching('^[-._a-zA-Z][-._a-zA-Z0-9]*$'), value: text, valueFrom: kubernetes('V1EnvVarSource') },
  ['name'],
)
const volumeTypes = [
  'ConfigMap',
  'CSI',
  'DownwardAPI',
  'EmptyDir',
  'Ephemeral',
  'PersistentVolumeClaim',
  'Projected',
  'Secret',
]
const volumeName = { ...matching(`^${label}$`), not: oneOf('tmp', 'tls', 'nats-files') }
/** A name that the chart does not use, and one type. */
const volume = {
  ...object({ name: volumeName, ...each(volumeTypes, (type) => kubernetes(`V1${type}VolumeSource`), fieldName) }, [
    'name',
  ]),
  minProperties: 2,
  maxProperties: 2,
}
const unprivilegedId = integer(10_000, 4_294_967_294)
const containerPort = object({ name: text, containerPort: port, protocol: oneOf('TCP', 'UDP', 'SCTP') }, [
  'containerPort',
])
/** A container within the restricted Pod Security Standard. */
const extraContainer = object(
  {
    name: matching(`^${label}$`),
    image: nonEmpty,
    imagePullPolicy: pullPolicy,
    command: list(text),
    args: list(text),
    workingDir: text,
    env: list(variable),
    envFrom: list(kubernetes('V1EnvFromSource')),
    ports: list(containerPort),
    resources,
    volumeMounts: list(kubernetes('V1VolumeMount')),
    livenessProbe: kubernetes('V1Probe'),
    readinessProbe: kubernetes('V1Probe'),
    startupProbe: kubernetes('V1Probe'),
    lifecycle: kubernetes('V1Lifecycle'),
    restartPolicy: oneOf('Always'),
    terminationMessagePath: text,
    terminationMessagePolicy: oneOf('File', 'FallbackToLogsOnError'),
    securityContext: object({
      runAsUser: unprivilegedId,
      runAsGroup: unprivilegedId,
      runAsNonRoot: oneOf(true),
      allowPrivilegeEscalation: oneOf(false),
      readOnlyRootFilesystem: flag,
      capabilities: object({ drop: list(oneOf('ALL'), 1) }),
    }),
  },
  ['name', 'image'],
)
const component: Properties = {
  replicaCount: { type: ['integer', 'string', 'null'], minimum: 0, maximum: 1000, maxLength: 0 },
  autoscaling: object({
    enabled: flag,
    minReplicas: integer(1, 1000),
    maxReplicas: integer(1, 1000),
    targetCPUUtilizationPercentage: integer(1, 1000),
    metrics: list(kubernetes('V2MetricSpec')),
    behavior: kubernetes('V2HorizontalPodAutoscalerBehavior'),
  }),
  podDisruptionBudget: object({ enabled: flag, minAvailable: share, maxUnavailable: optionalShare }),
  resources,
  topologySpreadConstraints: list(kubernetes('V1TopologySpreadConstraint')),
  priorityClassName: objectName,
  nodeSelector: map(text),
  tolerations: list(kubernetes('V1Toleration')),
  affinity: kubernetes('V1Affinity'),
  runtimeClassName: objectName,
  schedulerName: objectName,
  dnsConfig: kubernetes('V1PodDNSConfig'),
  hostAliases: list(kubernetes('V1HostAlias')),
  podLabels: labels,
  podAnnotations: map(text, '^checksum/'),
  annotations,
  extraEnv: list(variable),
  extraEnvFrom: list(kubernetes('V1EnvFromSource')),
  extraVolumes: list(volume),
  extraVolumeMounts: list(kubernetes('V1VolumeMount')),
  initContainers: list(extraContainer),
  sidecars: list(extraContainer),
  probes: object({ startup: probe, readiness: probe, liveness: probe }),
  preStopSeconds: integer(0, 300),
  minReadySeconds: integer(0, 300),
  updateStrategy: object({ maxUnavailable: share, maxSurge: share }),
  revisionHistoryLimit: integer(0, 100),
}

/**
 * A component with its own values. Each shared property refers to `defaults`: a reference to all of them (`allOf`) would not
 * reject unknown properties, and Helm would print two errors for each mistake.
 */
function componentWith(own: Properties): Schema {
  const shared = each(Object.keys(component), (name) => ({ $ref: `#/definitions/component/properties/${name}` }))
  return object({ image: componentImage, ...shared, ...own })
}

// ---- Services ----

const serviceSettings: Properties = {
  GRPC_PORT: ownPort,
  METRICS_PORT: ownPort,
  DATABASE_CONNECTIONS: integer(8, 200),
  DATABASE_REPLICA_MAX_LAG_MS: integer(100, 600_000),
  LOG_LEVEL: logLevel,
  SHUTDOWN_GRACE_MS: graceMs,
}
/** The settings that only one service has, in addition to `publicPaths` of the topology. */
const settingsOf: Readonly<Record<string, Properties>> = {
  customers: {
    PROFILE_PROVIDERS: oneOf('', 'steam', 'mojang', 'steam,mojang', 'mojang,steam'),
    STEAM_BASE_URL: url,
    STEAM_OPENID_URL: url,
    MOJANG_BASE_URL: url,
    MINECRAFT_AVATAR_URL: text,
  },
  coupons: { SWEEP_INTERVAL_MS: integer(10, 3_600_000) },
  checkout: { VAT_CHECK_URL: emptyOr('^https?://[^\\s]+$'), SWEEP_INTERVAL_MS: integer(50, 60_000) },
  orders: {
    TEST_PAYMENTS: flag,
    STRIPE_BASE_URL: matching('^https?://[^\\s]+$'),
    SWEEP_INTERVAL_MS: integer(50, 60_000),
  },
  delivery: {
    COMMAND_LEASE_SECONDS: integer(5, 300),
    SWEEP_INTERVAL_MS: integer(50, 5000),
  },
  emails: {
    EMAIL_FROM: matching('^([^\\s@<>"]+@[^\\s@<>"]+)?$'),
    SMTP_TIMEOUT_MS: integer(1000, 60_000),
  },
  webhooks: {
    WEBHOOKS_ALLOW_HTTP: flag,
    WEBHOOKS_ALLOWED_NETWORKS: networks,
    WEBHOOKS_TIMEOUT_MS: integer(100, 60_000),
  },
  images: {
    IMAGES_ALLOW_HTTP: flag,
    IMAGES_ALLOWED_NETWORKS: networks,
    IMAGES_TIMEOUT_MS: integer(100, 60_000),
  },
}

function forEachService(schemaOf: (service: (typeof services)[number]) => Schema): Schema {
  return object(Object.fromEntries(services.map((service) => [service.name, schemaOf(service)])))
}

const serviceValues = forEachService(({ name, redis, secrets, optionalSecrets, publicPaths }) =>
  componentWith({
    settings: object({ ...serviceSettings, ...each(Object.keys(publicPaths), () => pagesUrl), ...settingsOf[name] }),
    secrets: object({
      ...databaseUrls,
      ENCRYPTION_KEY: secret(keys),
      NATS_URL: natsUrl,
      ...(redis && { REDIS_URL: redisUrl }),
      ...each(Object.keys(secrets), (setting) => secretsByFormat[secrets[setting] ?? 'key']),
      ...each(optionalSecrets, () => freeSecret),
    }),
  }),
)

// ---- The gateway and the pages ----

const httpSettings: Properties = {
  PORT: ownPort,
  METRICS_PORT: ownPort,
  TRUSTED_PROXIES: networks,
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000),
  WRITE_TIMEOUT_MS: integer(100, 600_000),
  MAX_UNSENT_MIB: integer(16, 65_536),
  MAX_UNFINISHED_BODIES_MIB: integer(8, 65_536),
  HSTS_MAX_AGE_SECONDS: integer(0, 63_072_000),
  REQUEST_TIMEOUT_MS: integer(100, 15_000),
  LOG_LEVEL: logLevel,
  SHUTDOWN_DELAY_MS: integer(0, 60_000),
  SHUTDOWN_GRACE_MS: graceMs,
  ACCESS_LOG_RATIO: ratio,
}
const gatewayLimits = [
  'API_KEY',
  'CHECKOUT_ADDRESS',
  'CHECKOUT_CUSTOMER',
  'FAILED_AUTH',
  'GAME_SERVER_EVENTS',
  'GAME_SERVER_POLLS',
  'SIGN_IN_ADDRESS',
  'SIGN_IN_NAME',
  'SIGN_IN_STORE',
]
const pagesLimits = [
  'ADDRESS',
  'FORM_ADDRESS',
  'FORM_TOKEN',
  'UNKNOWN_TOKEN',
  'IMAGE_ADDRESS',
  'SIGN_IN_ADDRESS',
  'SIGN_IN_NAME',
  'SIGN_IN_STORE',
  'SEARCH_ADDRESS',
  'WEBHOOK_ADDRESS',
  'WEBHOOK_STORE',
]

function rateLimits(names: readonly string[]): Properties {
  return each(
    names,
    () => integer(1, 1_000_000_000),
    (name) => `RATE_LIMIT_${name}_PER_MINUTE`,
  )
}

/** Whether to run a component; if empty, the chart chooses. */
const enabledOrEmpty: Schema = { type: ['boolean', 'string'], maxLength: 0 }
const service = { port, annotations }
const ingressPath: Schema = {
  ...object({ path: matching(path), pathType: oneOf('Prefix', 'Exact', 'ImplementationSpecific') }, ['path']),
  type: ['string', 'object'],
  pattern: path,
}
const ingressPaths = list(ingressPath, 1)
const ingressHost: Schema = {
  ...object({ host: matching(host), paths: ingressPaths }, ['host']),
  type: ['string', 'object'],
  pattern: host,
}
const ingress = { enabled: flag, className: objectName, annotations, tls: list(object({ secretName: text, hosts })) }
const headerFilters = ['RequestHeaderModifier', 'ResponseHeaderModifier']
const routeFilters = [...headerFilters, 'RequestMirror', 'RequestRedirect', 'URLRewrite', 'CORS', 'ExtensionRef']
const filterFields = each(routeFilters, () => anyObject, fieldName)
const routeFilter = object({ type: oneOf(...routeFilters), ...filterFields }, ['type'])
const parentRef = object(
  { group: text, kind: text, namespace: objectName, name: objectName, sectionName: text, port },
  ['name'],
)
const httpRoute = { enabled: flag, annotations, parentRefs: list(parentRef), filters: list(routeFilter) }

// ---- Everything else ----

const serviceAccount = object({ create: flag, name: objectName, annotations })
const bundledServer = { enabled: flag, image, resources }
const storage = { storage: emptyOr(quantity), storageClassName: objectName }
const relabelings = list(
  object({
    ...each(['action', 'regex', 'replacement', 'separator', 'targetLabel'], () => text),
    modulus: { type: 'integer' },
    sourceLabels: list(text),
  }),
)
const cellNumber = integer(0, 63)
const cell = object(
  {
    cell: cellNumber,
    release: releaseName,
    namespace,
    fullnameOverride: fullname,
    addresses: forEachService(() => matching('^(dns:///)?[A-Za-z0-9][-A-Za-z0-9.]*:[0-9]{1,5}$')),
    to: peers,
  },
  ['cell'],
)

const properties: Properties = {
  enabled: flag,
  global: { type: 'object', properties: { imageRegistry: text, imagePullSecrets: list(pullSecret) } },
  nameOverride: namespace,
  fullnameOverride: fullname,
  commonLabels: labels,
  commonAnnotations: annotations,
  image: object({ registry: text, repository: requiredRepository, tag: emptyOr(`${tag}$`), pullPolicy }),
  imagePullSecrets: list(pullSecret),
  cell: { ...cellNumber, type: ['integer', 'string'], pattern: '^none$' },
  cells: list(cell),
  gatewayRelease: object({ release: releaseName, namespace, fullnameOverride: fullname }),
  publicBaseUrl: baseUrl,
  existingSecret: objectName,
  generateSecrets: flag,
  secrets: object({
    DATABASE_ADMIN_URL: databaseUrl,
    ...databaseUrls,
    NATS_URL: natsUrl,
    REDIS_URL: redisUrl,
    CALL_SECRET: object({ value: keys, existingSecret: objectName }),
    OTEL_EXPORTER_OTLP_HEADERS: freeSecret,
  }),
  nats: object({
    auth: object({ existingSecret: secretName, credsKey: secretKey, nkeyKey: secretKey }),
    tls: object({ existingSecret: secretName, caKey: secretKey, certKey: secretKey, keyKey: secretKey }),
  }),
  serviceAccount,
  defaults: { $ref: '#/definitions/component' },
  security: object({ runAsUser: unprivilegedId, runAsGroup: unprivilegedId, fsGroup: unprivilegedId }),
  database: object({ maxConnections: integer(0), maxConnectionsOf: map(integer(1)) }),
  serviceSettings: object({
    ...serviceSettings,
    EVENTS_STREAM: matching('^[A-Z0-9_-]+$'),
    REDIS_KEY_PREFIX: nonEmpty,
  }),
  services: serviceValues,
  gateway: componentWith({
    enabled: enabledOrEmpty,
    settings: object(
      {
        ...httpSettings,
        ...rateLimits(gatewayLimits),
        MAX_WAITING_POLLS: integer(0, 1_000_000),
        REDIS_TIMEOUT_MS: integer(10, 2000),
        STOREFRONT_HEADER_ALIASES: flag,
      },
      ['METRICS_PORT'],
    ),
    secrets: object({ REDIS_URL: redisUrl }),
    service: object({
      ...service,
      type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
      externalTrafficPolicy: oneOf('Local', 'Cluster'),
    }),
  }),
  pages: componentWith({
    enabled: enabledOrEmpty,
    publicBaseUrl: pagesUrl,
    settings: object(
      {
        ...httpSettings,
        ...rateLimits(pagesLimits),
        COUNTRY_HEADER: emptyOr('^[A-Za-z0-9-]+$'),
        PAYMENT_PROVIDER_ORIGINS: emptyOr('^https?://[^\\s/?#,;]+(,https?://[^\\s/?#,;]+)*$'),
      },
      ['METRICS_PORT'],
    ),
    service: object(service),
    ingress: object(ingress),
    httpRoute: object(httpRoute),
  }),
  adminTools: object({ enabled: flag, image: componentImage, resources, podAnnotations: annotations }),
  tls: object({
    enabled: flag,
    existingSecret: secretName,
    certManager: object({
      enabled: flag,
      issuerRef: object({ name: objectName, kind: nonEmpty, group: nonEmpty }),
      duration: hours,
      renewBefore: hours,
      clusterDomain: matching('^[a-z0-9]([-a-z0-9.]{0,100}[a-z0-9])?$'),
    }),
    trustBundle: object({ configMap: objectName, key: matching('^[-._a-zA-Z0-9]{1,253}$') }),
  }),
  ingress: object({ ...ingress, hosts: list(ingressHost), paths: ingressPaths }),
  httpRoute: object({ ...httpRoute, hostnames: hosts, paths: list(matching(path), 1) }),
  migrations: object({
    enabled: flag,
    useHelmHooks: flag,
    backoffLimit: integer(0, 100),
    activeDeadlineSeconds: integer(1, 86_400),
    ttlSecondsAfterFinished: { anyOf: [integer(0, 31_536_000), { enum: ['', null] }] },
    resources,
    nodeSelector: map(text),
    podLabels: labels,
    podAnnotations: annotations,
    annotations,
    serviceAccount,
  }),
  networkPolicy: object({
    enabled: flag,
    gatewayFrom: peers,
    pagesFrom: peers,
    metricsFrom: peers,
    postgres: object({ port, migrationsPort: optionalPort, to: peers }),
    nats: object({ port, to: peers }),
    redis: object({ port, sentinelPort: optionalPort, to: peers }),
    collector: object({ to: peers }),
    dns: object({ ports: list(port, 1), to: peers }),
    internet: object({ webhookPorts: list(port, 1), except: list(matching('^[0-9.]+/[0-9]{1,2}$')) }),
    smtp: object({ ports: list(port, 1), to: peers }),
    extraEgress: list(kubernetes('V1NetworkPolicyEgressRule')),
  }),
  metrics: object({
    serviceMonitor: object({
      enabled: flag,
      interval: matching(duration),
      labels: map(text),
      scrapeTimeout: emptyOr(duration),
      relabelings,
      metricRelabelings: relabelings,
    }),
    prometheusRule: object({
      enabled: flag,
      labels: map(text),
      runbookBaseUrl: matching('^(https?://[^\\s?#"\']+)?$'),
    }),
    dashboards: object({ enabled: flag, labels: map(text) }),
  }),
  telemetry: object({ otlp: object({ endpoint: url }), samplingRatio: ratio }),
  tests: object({ enabled: flag, storeSlug: matching(`^${label}$`) }),
  bundled: object({
    postgres: object({ ...bundledServer, ...storage }),
    nats: object({ ...bundledServer, ...storage }),
    redis: object(bundledServer),
  }),
  extraObjects: list({ type: ['object', 'string'] }),
}
