/**
 * The processes of Storekeep: names, ports, calls and secrets. Edit this file, then run `npm run codegen`.
 *
 * `npm start` and the tests read it. Generated from it: the services of deploy/compose.yaml, the chart's catalog
 * (helm/storekeep/files/services.yaml) and, with rights.ts, the users of NATS and Redis.
 */

/** Ports inside Compose and the cluster. `npm start` uses free ports, except for the gateway's. */
export const ports = { gateway: 8080, pages: 8081, grpc: 50051, metrics: 9464 } as const

/** The memory limit of a process in the chart and in Compose. In a container V8 gives half of its limit to long-lived objects. */
export const memoryLimitMiB = 384

/**
 * Options of Node for every process, in the images and in `npm start`. V8 would give new objects a few MiB in a container of
 * this size. Lists cost a third more CPU with 4 MiB and a tenth more with 16 MiB. The space grows only under load. With `gc`,
 * a process frees the memory of its start.
 */
export const nodeOptions = '--max-semi-space-size=32 --expose-gc'

export const services = defineServices({
  stores: {
    redis: { channels: ['api-key-revoked'], commands: ['publish'] },
    secrets: { API_KEY_PEPPER: 'key' },
  },
  customers: {
    calls: ['stores'],
    consumers: {
      'customers-profiles': 'customers.customer.>',
      'customers-sessions': 'checkout.checkout_session.created',
      'customers-bans': 'bans.ban.>',
    },
    redis: { keys: ['epoch:*'], commands: ['eval', 'evalsha', 'get', 'set'] },
    secrets: { TOKEN_KEYS: 'numbered-key' },
    optionalSecrets: ['STEAM_API_KEY'],
    publicPaths: { PORTAL_BASE_URL: '/portal', STORE_BASE_URL: '/store' },
    internet: true,
  },
  bans: { consumers: { 'bans-chargebacks': 'orders.order.>' } },
  'custom-variables': {},
  coupons: { calls: ['customers'], consumers: { 'coupons-redemptions': 'checkout.checkout_session.>' } },
  checkout: {
    calls: ['stores', 'customers', 'bans', 'coupons', 'custom-variables', 'delivery'],
    consumers: { 'checkout-stock': 'delivery.delivery_item.>' },
    publicPaths: { CHECKOUT_BASE_URL: '/checkout' },
    internet: true,
  },
  orders: { calls: ['checkout', 'customers'], internet: true },
  delivery: {
    consumers: {
      'delivery-orders': 'orders.order.>',
      'delivery-subscriptions': 'orders.subscription.>',
      'delivery-customers': 'customers.customer.>',
      'delivery-products': 'checkout.product.>',
      'delivery-stores': 'stores.store.>',
    },
  },
  emails: {
    calls: ['stores', 'customers', 'orders'],
    consumers: { 'emails-orders': 'orders.order.>', 'emails-subscriptions': 'orders.subscription.>' },
    optionalSecrets: ['SMTP_URL'],
    smtp: true,
  },
  webhooks: {
    consumers: { 'webhooks-events': '>' },
    internet: true,
  },
  images: {
    consumers: {
      'images-products': 'checkout.product.>',
      'images-tags': 'checkout.tag.>',
      'images-sessions': 'checkout.checkout_session.created',
      'images-stores': 'stores.store.>',
      'images-customers': 'customers.customer.>',
    },
    internet: true,
  },
  search: {
    calls: ['customers', 'bans', 'coupons', 'custom-variables', 'checkout', 'orders', 'delivery'],
    consumers: { 'search-index': '>' },
  },
})

/** Also the name of the service's Postgres schema and of its folder in services/. */
export type ServiceName = (typeof services)[number]['name']

/** The gateway calls every service but images, which only shoppers' browsers need. */
export const gateway: { calls: readonly ServiceName[]; redis: RedisRights } = {
  calls: services.map(({ name }) => name).filter((name) => name !== 'images'),
  redis: {
    keys: ['limit:*'],
    readKeys: ['epoch:*'],
    channels: ['api-key-revoked'],
    commands: [
      ...['eval', 'evalsha', 'time', 'hgetall', 'hincrby', 'hdel', 'pexpire'],
      ...['mget', 'subscribe', 'unsubscribe'],
    ],
  },
}

/** The operator's command-line tool, services/admin-tools. */
export const adminTools: { calls: readonly ServiceName[] } = {
  calls: [
    'stores',
    'customers',
    'bans',
    'coupons',
    'checkout',
    'orders',
    'delivery',
    'emails',
    'webhooks',
    'images',
    'search',
  ],
}

/** The process of the checkout, portal and store pages. */
export const pages: { calls: readonly ServiceName[] } = {
  calls: ['stores', 'customers', 'custom-variables', 'checkout', 'orders', 'delivery', 'images'],
}

export interface Service<Name extends string = string> {
  /** Services whose gRPC it calls: an address setting and a network-policy edge for each, and its TLS identity is accepted. */
  calls: readonly Name[]
  /** Its event consumers: durable name → subject filter without the stream prefix. They determine its rights on NATS. */
  consumers: Readonly<Record<string, string>>
  /** What it may do on Redis. Adds REDIS_URL and a network-policy edge. Undefined: it does not use Redis. */
  redis: RedisRights | undefined
  /** Secret settings beside DATABASE_URL, ENCRYPTION_KEY and NATS_URL. */
  secrets: Readonly<Record<string, SecretFormat>>
  /** Secret settings that may be unset. */
  optionalSecrets: readonly string[]
  /** Settings that hold the address of a page, below the address of the pages. */
  publicPaths: Readonly<Record<string, string>>
  /** Whether it may call hosts on the internet, on port 443. */
  internet: boolean
  /** Whether it sends emails to an SMTP server, on the ports of SMTP. */
  smtp: boolean
}

/** Key patterns, channels and commands; patterns without REDIS_KEY_PREFIX. */
export interface RedisRights {
  keys?: readonly string[]
  readKeys?: readonly string[]
  channels?: readonly string[]
  commands: readonly string[]
}

/** `key`: 32 random bytes in base64url. `numbered-key`: a list of keys that starts with `1:<key>`. */
export type SecretFormat = 'key' | 'numbered-key'

function defineServices<Name extends string>(
  entries: Record<Name, Partial<Service<NoInfer<Name>>>>,
): readonly (Service<Name> & { readonly name: Name })[] {
  const defaults = {
    calls: [],
    consumers: {},
    redis: undefined,
    secrets: {},
    optionalSecrets: [],
    publicPaths: {},
    internet: false,
    smtp: false,
  }
  return (Object.keys(entries) as Name[]).map((name) => ({ name, ...defaults, ...entries[name] }))
}
