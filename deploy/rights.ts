import { gateway, type RedisRights, services } from './topology.ts'

/**
 * The least rights of each component on NATS and Redis, derived from topology.ts. `npm run codegen` writes them for Compose
 * and the chart; `npm start` and the tests start their servers with them; docs/deploying.md describes them for operators.
 */

/**
 * A service publishes its own events, reads the stream to detect lost ones, creates the stream on the first start, and uses
 * its own consumers. It can neither publish events of other services, nor delete or change a stream, nor use consumers or
 * responses of other services.
 */
export function natsRights({ name, consumers }: NatsClient, names: StreamNames = productNames): NatsRights {
  const { stream, prefix } = names
  const api = '$JS.API'
  return {
    publish: [
      `${prefix}.${name}.>`,
      ...['STREAM.INFO', 'STREAM.CREATE', 'STREAM.MSG.GET'].map((call) => `${api}.${call}.${stream}`),
      ...Object.entries(consumers).flatMap(([consumer, filter]) => [
        `${api}.CONSUMER.CREATE.${stream}.${consumer}.${prefix}.${filter}`,
        `${api}.CONSUMER.INFO.${stream}.${consumer}`,
        // An ordered consumer is created again at its position.
        `${api}.CONSUMER.DELETE.${stream}.${consumer}`,
        `${api}.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
        `$JS.ACK.${stream}.${consumer}.>`,
      ]),
    ],
    subscribe: [`_INBOX.${name}.>`],
  }
}

/**
 * The users of a NATS server, in a separate account, in the format of nats.conf. Clients without a user are rejected.
 *
 * @param passwordOf a password, or `$VARIABLE`
 * @param options.others additional users, with all rights unless `rights` limits them
 */
export function natsAccounts(
  passwordOf: (user: string) => string,
  { names, others = [] }: { names?: StreamNames; others?: readonly { user: string; rights?: NatsRights }[] } = {},
): string {
  const users = [...services.map((service) => ({ user: service.name, rights: natsRights(service, names) })), ...others]
  const list = (subjects: readonly string[]) =>
    `[\n${subjects.map((subject) => `            "${subject}"\n`).join('')}          ]`
  const entries = users.map(({ user, rights }) => {
    const permissions = rights
      ? `        permissions: {\n          publish: ${list(rights.publish)}\n          subscribe: ${list(rights.subscribe)}\n        }\n`
      : ''
    return `      {\n        user: ${user}\n        password: ${passwordOf(user)}\n${permissions}      }\n`
  })
  return `accounts {\n  STOREKEEP {\n    jetstream: enabled\n    users: [\n${entries.join('')}    ]\n  }\n}\n`
}

/** The components that use Redis. */
export const redisClients: readonly { name: string; redis: RedisRights }[] = [
  ...services.flatMap(({ name, redis }) => (redis ? [{ name, redis }] : [])),
  { name: 'gateway', redis: gateway.redis },
]

/**
 * The users of a Redis server, in the format of an ACL file. Connections without a user may only PING.
 *
 * @param passwordOf `>password` or `#hash`
 * @param options.prefix of keys and channels, as in REDIS_KEY_PREFIX
 * @param options.anonymous the rights of connections without a user
 */
export function redisUsers(
  passwordOf: (user: string) => string,
  { prefix = 'storekeep:', anonymous = '-@all +ping' }: { prefix?: string; anonymous?: string } = {},
): string {
  const users = redisClients.map(({ name, redis }) => {
    const { keys = [], readKeys = [], channels = [], commands } = redis
    return [
      `user ${name} on ${passwordOf(name)} resetkeys resetchannels`,
      ...keys.map((pattern) => `~${prefix}${pattern}`),
      ...readKeys.map((pattern) => `%R~${prefix}${pattern}`),
      ...channels.map((channel) => `&${prefix}${channel}`),
      // What a client sends when it connects, and to find the owner of a key in a Cluster.
      '-@all +auth +hello +ping +quit +cluster|info +cluster|slots +asking',
      ...commands.map((command) => `+${command}`),
    ].join(' ')
  })
  return `${[`user default on nopass ${anonymous}`, ...users].join('\n')}\n`
}

/** The variable with the password of a component on a server: `STORES_NATS_PASSWORD`. */
export function passwordVariable(component: string, server: 'NATS' | 'REDIS'): string {
  return `${component.toUpperCase().replaceAll('-', '_')}_${server}_PASSWORD`
}

const productNames: StreamNames = { stream: 'EVENTS', prefix: 'events' }

export interface StreamNames {
  /** EVENTS_STREAM; `*` for any. */
  stream: string
  /** The first part of the subjects: the name of the stream in lower case; `*` for any. */
  prefix: string
}

export interface NatsRights {
  publish: readonly string[]
  subscribe: readonly string[]
}

interface NatsClient {
  name: string
  consumers: Readonly<Record<string, string>>
}
