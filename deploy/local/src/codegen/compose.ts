import { addressSetting } from '@storekeep/common/config'
import { natsAccounts, passwordVariable, redisUsers } from '../../../rights.ts'
import { adminTools, gateway, pages, ports, type ServiceName, services } from '../../../topology.ts'

/** The services of deploy/compose.yaml that are processes of Storekeep; the anchors are defined above them there. */
export function composeProcesses(): string {
  const migrations = services.map(({ name }) => `  ${name}-migrations: { condition: service_completed_successfully }\n`)
  return `x-ports: &ports
  GRPC_PORT: "${ports.grpc}"
  METRICS_PORT: "${ports.metrics}"

x-dependencies: &dependencies
  nats: { condition: service_healthy }
  redis: { condition: service_healthy }
${migrations.join('')}
# The users of NATS and Redis with their rights, from deploy/rights.ts.
configs:
  nats-accounts:
    content: |
${indent(natsAccounts((user) => `"\${${passwordVariable(user, 'NATS')}:?}"`))}
  redis-users:
    content: |
${indent(redisUsers((user) => `>\${${passwordVariable(user, 'REDIS')}:?}`))}

services:
${[...services.map(service), gatewayProcess(), pagesProcess(), adminToolsProcess()].join('\n')}`
}

function service({ name, calls, redis, secrets, publicPaths }: (typeof services)[number]): string {
  const databaseUrl = `DATABASE_URL: postgres://storekeep_${name.replaceAll('-', '_')}:\${${variable(name)}_DATABASE_PASSWORD:?}@postgres:5432/storekeep`
  const settings = [
    databaseUrl,
    `NATS_URL: nats://${name}:\${${passwordVariable(name, 'NATS')}:?}@nats:4222`,
    `ENCRYPTION_KEY: \${${variable(name)}_ENCRYPTION_KEY:?}`,
    callKeys(name),
    ...(redis ? [redisUrl(name)] : []),
    ...Object.keys(secrets).map((setting) => `${setting}: \${${setting}:?}`),
    ...Object.entries(publicPaths).map(([setting, path]) => pageAddress(setting, path)),
    ...(name === 'orders' ? [`TEST_PAYMENTS: "\${TEST_PAYMENTS:-false}"`] : []),
    ...(name === 'emails' ? emailSettings : []),
    ...(name === 'webhooks' || name === 'images' ? outgoingSettings(name) : []),
    ...addresses(calls),
  ]
  return `  ${name}:
    <<: *service
    depends_on: *dependencies
${image(name, `services/${name}`)}
    environment:
      <<: [*settings, *ports]
${lines(settings)}
  ${name}-migrations:
    <<: *migrations
    image: ${imageName(name)}
    command: [node, services/${name}/src/migrate.ts]
    environment:
      <<: *administrator
      ${databaseUrl}
`
}

function gatewayProcess(): string {
  return `  gateway:
    <<: *service
${image('gateway', 'gateway')}
    ports: ["\${PUBLISHED_HOST:-127.0.0.1}:\${PUBLISHED_PORT:-8080}:${ports.gateway}"]
    depends_on:
      redis: { condition: service_healthy }
    environment:
      <<: *telemetry
      HOST: 0.0.0.0
      PORT: "${ports.gateway}"
      # Not among the published ports.
      METRICS_PORT: "${ports.metrics}"
      PUBLIC_BASE_URL: ${publicBaseUrl}
      ${pageAddress('CHECKOUT_BASE_URL', '/checkout')}
      TRUSTED_PROXIES: \${TRUSTED_PROXIES:-}
      LOG_LEVEL: \${LOG_LEVEL:-info}
      ACCESS_LOG_RATIO: \${ACCESS_LOG_RATIO:-}
${lines([callKeys('gateway'), redisUrl('gateway'), ...addresses(gateway.calls)])}
`
}

function pagesProcess(): string {
  const addressesOfPages = services.flatMap(({ publicPaths }) => Object.entries(publicPaths))
  return `  pages:
    <<: *service
${image('pages', 'services/pages')}
    ports: ["\${PUBLISHED_HOST:-127.0.0.1}:\${PUBLISHED_PAGES_PORT:-8081}:${ports.pages}"]
    environment:
      <<: *telemetry
      HOST: 0.0.0.0
      PORT: "${ports.pages}"
      # Not among the published ports.
      METRICS_PORT: "${ports.metrics}"
      TRUSTED_PROXIES: \${TRUSTED_PROXIES:-}
      LOG_LEVEL: \${LOG_LEVEL:-info}
      ACCESS_LOG_RATIO: \${ACCESS_LOG_RATIO:-}
${lines([...addressesOfPages.map(([setting, path]) => pageAddress(setting, path)), callKeys('pages'), ...addresses(pages.calls)])}
`
}

function adminToolsProcess(): string {
  return `  # The operator's command-line tool: docker compose -f deploy/compose.yaml run --rm admin-tools --help
  admin-tools:
    <<: *confined
    profiles: [admin-tools]
${image('admin-tools', 'services/admin-tools')}
    entrypoint: [node, services/admin-tools/src/main.ts]
    environment:
${lines([callKeys('admin-tools'), ...addresses(adminTools.calls)])}
`
}

/** Without SMTP_URL, no emails are sent. */
const emailSettings = [
  `SMTP_URL: \${SMTP_URL:-}`,
  `EMAIL_FROM: \${EMAIL_FROM:-}`,
  pageAddress('CHECKOUT_BASE_URL', '/checkout'),
]

/** Which URLs of stores the service may request. */
function outgoingSettings(name: 'webhooks' | 'images'): string[] {
  const prefix = variable(name)
  return [
    `${prefix}_ALLOW_HTTP: "\${${prefix}_ALLOW_HTTP:-false}"`,
    `${prefix}_ALLOWED_NETWORKS: \${${prefix}_ALLOWED_NETWORKS:-}`,
  ]
}

const publicBaseUrl = `\${PUBLIC_BASE_URL:-http://localhost:\${PUBLISHED_PORT:-8080}}`

/** The services that create links and the pages behind them have the same setting. */
function pageAddress(setting: string, path: string): string {
  return `${setting}: \${${setting}:-http://localhost:\${PUBLISHED_PAGES_PORT:-8081}${path}}`
}

function redisUrl(name: string): string {
  return `REDIS_URL: redis://${name}:\${${passwordVariable(name, 'REDIS')}:?}@redis:6379`
}

/** Compose would replace a single `$`. */
function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line.replace(/\$(?!\{)/g, '$$$$')}`)
    .join('\n')
}

function image(name: string, folder: string): string {
  return `    image: ${imageName(name)}
    build: { <<: *build, args: { PACKAGE: ${folder} } }`
}

function imageName(name: string): string {
  return `storekeep/${name}:\${STOREKEEP_VERSION:-0.1.0}`
}

function addresses(calls: readonly ServiceName[]): string[] {
  return calls.map((name) => `${addressSetting(name)}: dns:///${name}:${ports.grpc}`)
}

/** A separate key for each pair of caller and server, known only to these two. */
function callKeys(name: string): string {
  const callers = [
    ...services,
    { name: 'gateway', calls: gateway.calls },
    { name: 'pages', calls: pages.calls },
    { name: 'admin-tools', calls: adminTools.calls },
  ]
  const edges = callers.flatMap((caller) => caller.calls.map((server) => [caller.name, server] as const))
  const own = edges.filter((edge) => edge.includes(name as ServiceName))
  const entries = own.map(
    ([caller, server]) => `${caller}:${server}=\${CALL_KEY_${variable(caller)}_${variable(server)}:?}`,
  )
  return `CALL_KEYS: >-\n        ${entries.join(',\n        ')}`
}

function variable(name: string): string {
  return name.toUpperCase().replaceAll('-', '_')
}

function lines(settings: readonly string[]): string {
  return settings.map((setting) => `      ${setting}`).join('\n')
}
