/** The top folders from the ground up. */
const floors = ['proto', 'services/common', 'services', 'gateway', 'deploy', 'helm', 'test']

/** The folders of services/common/src from the ground up. Its README shows them as a picture. */
const commonFloors = [
  ...['clock', 'errors', 'crypto', 'net', 'targets', 'flake', 'values', 'page'],
  ...['log', 'config', 'lifecycle', 'telemetry', 'batch', 'outgoing'],
  ...['identity', 'unsupported', 'grpc', 'message', 'queue', 'nats', 'redis', 'postgres'],
  ...['write', 'events', 'exports', 'migrate', 'http'],
  'service',
].map((folder) => `services/common/src/${folder}`)

/** The resources of each service that has several, from the ground up. */
const resourceFloors = Object.entries({
  checkout: ['products', 'tags', 'sessions', 'carts'],
  coupons: ['coupons', 'affiliate-links', 'redemptions'],
  customers: ['customers', 'tokens', 'portal-sessions'],
  delivery: ['copies', 'game-servers', 'attempts', 'global-commands', 'items', 'queue'],
  orders: ['payments', 'orders', 'refunds', 'subscriptions'],
  search: ['documents', 'rebuilds'],
  stores: ['stores', 'api-keys'],
  webhooks: ['listening', 'endpoints', 'deliveries'],
}).map(([service, resources]) => resources.map((resource) => `services/${service}/src/${resource}`))

/** The folders of a service, or of a resource in it. */
const layer = '((handlers|domain|db|events|steps|adapters|tasks|mappers)/|mappers[.]ts$)'

/**
 * Import boundaries, checked by `npm run check`. Type imports count like values. `reachable` also follows the imports
 * of imports, so a forbidden module cannot hide behind an allowed one.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Modules do not import each other in a circle.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...importsLeadDown(floors),
    ...importsLeadDown(commonFloors),
    ...resourceFloors.flatMap((floors) => importsLeadDown(floors, '/(handlers/|events/on-)')),
    {
      name: 'common-folders-have-a-floor',
      comment: 'Each folder of services/common/src has its place in the list of floors above.',
      severity: 'error',
      from: {},
      to: { path: '^services/common/src/', pathNot: commonFloors.map(within) },
    },
    {
      name: 'resources-have-a-floor',
      comment: 'Each resource of a service has its place in the lists of floors above.',
      severity: 'error',
      from: {},
      to: {
        path: `^services/(?!(common|pages|admin-tools)/)[^/]+/src/(?!${layer})[^/]+/${layer}`,
        pathNot: resourceFloors.flat().map(within),
      },
    },
    {
      name: 'services-talk-through-protos',
      comment: 'A service reaches another one only through its proto.',
      severity: 'error',
      from: { path: '^services/(?!common/)([^/]+)/' },
      to: { path: '^services/(?!common/|$1/)|^@storekeep/(?!common/|proto/|records/)' },
    },
    {
      name: 'only-webhooks-render-public-records',
      comment: 'The webhooks service sends the records of the API; no other service needs them.',
      severity: 'error',
      from: { path: '^services/(?!webhooks/)' },
      to: { path: '^proto/records/|^@storekeep/records/' },
    },
    {
      name: 'records-know-no-server',
      comment: 'The records of the API contain no endpoint, HTTP server or OpenAPI document.',
      severity: 'error',
      from: { path: '^proto/records/' },
      to: { path: packages('express', 'zod-openapi'), reachable: true },
    },
    {
      name: 'gateway-has-no-database',
      comment: 'The gateway holds no database, no event consumer and no service code.',
      severity: 'error',
      from: { path: '^gateway/src/' },
      to: {
        path: [
          packages('pg', 'sql-template-tag', '@nats-io/[^/]+'),
          '^services/common/src/(postgres|events|nats|write)/',
          '^services/(?!common/)|^@storekeep/(?!common/|proto/)',
        ],
      },
    },
    {
      name: 'pages-have-no-database',
      comment: 'The process of the pages holds no database, no event consumer and no Redis: it calls services.',
      severity: 'error',
      from: { path: '^services/pages/src/' },
      to: {
        path: [
          packages('pg', 'sql-template-tag', '@nats-io/[^/]+', '@redis/[^/]+'),
          '^services/common/src/(postgres|events|nats|redis|write)/',
        ],
      },
    },
    {
      name: 'services-have-one-shape',
      comment:
        'A service has six loose files. Everything else is in a layer: handlers/, domain/, db/, events/, steps/, adapters/, ' +
        'tasks/ or mappers, which a service with several resources has for each of them.',
      severity: 'error',
      from: {},
      to: {
        path: '^services/(?!(common|pages|admin-tools)/)[^/]+/src/',
        pathNot: [
          '^services/[^/]+/src/(main|config|context|service|migrate|exports)[.]ts$',
          `^services/[^/]+/src/${layer}`,
          `^services/[^/]+/src/[^/]+/${layer}`,
        ],
      },
    },
    {
      name: 'handlers-are-rpcs',
      comment: 'handlers/ contains one file per RPC, which only the index of handlers imports. Steps are in steps/.',
      severity: 'error',
      from: { path: '^services/.+/src/', pathNot: '(/handlers/index|/src/service|[.]test)[.]ts$' },
      to: { path: '^services/.+/handlers/(?!index[.]ts$)' },
    },
    {
      name: 'handlers-have-no-sql',
      comment: 'SQL belongs in db/.',
      severity: 'error',
      from: { path: '^services/.+/handlers/' },
      to: { path: packages('pg', 'sql-template-tag') },
    },
    {
      name: 'domain-imports-only-pure-code',
      comment:
        'domain/ imports other domain code, proto/conventions and the pure parts of common; no message, row or setting.',
      severity: 'error',
      from: { path: '^services/.+/domain/', pathNot: '[.]test[.]ts$' },
      to: {
        pathNot: [
          '^services/.+/domain/',
          '^proto/conventions/',
          '^services/common/src/(crypto|errors|flake|page|targets|values)/',
          packages('ipaddr[.]js', 're2js'),
          '^(crypto|util)$',
        ],
      },
    },
    {
      name: 'domain-reaches-no-io',
      comment: 'Nothing that domain/ imports performs I/O or knows a transport, not even indirectly.',
      severity: 'error',
      from: { path: '^services/.+/domain/', pathNot: '[.]test[.]ts$' },
      to: {
        path: [
          packages('pg', '@redis/[^/]+', 'pino', '@nats-io/[^/]+', '@grpc/[^/]+', 'express'),
          '^services/common/src/(config|events|grpc|lifecycle|log|nats|postgres|redis|telemetry|write)/',
          '^(fs|net|http|https|http2|tls|dns|dgram|child_process)(/|$)',
        ],
        reachable: true,
      },
    },
    {
      name: 'db-knows-rows-not-messages',
      comment: 'db/ maps between SQL and rows; protos and everything above it stay outside.',
      severity: 'error',
      from: { path: '^services/.+/db/' },
      to: {
        path: [
          '^proto/gen/|^@storekeep/proto/(?!conventions/)',
          packages('@bufbuild/[^/]+', '@grpc/[^/]+'),
          '^services/(?!common/)[^/]+/src/(?!.*(db|domain)/)',
        ],
      },
    },
    {
      name: 'mappers-only-map',
      comment: 'Types that mappers and steps share are in domain/.',
      severity: 'error',
      from: { path: '^services/.+/mappers' },
      to: { path: '^services/.+/(steps|handlers|tasks)/' },
    },
    {
      name: 'acceptance-tests-speak-http',
      comment: 'Acceptance tests know the product only from outside.',
      severity: 'error',
      from: { path: '^test/acceptance/' },
      to: {
        path: [
          '^(services|gateway|proto)/|^@storekeep/(?!test/|local/)',
          packages('pg', '@redis/[^/]+', '@grpc/[^/]+', '@nats-io/[^/]+'),
        ],
      },
    },
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules|^proto/gen/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js'],
    },
  },
}

/**
 * Forbids imports from a folder further up.
 *
 * @param {string[]} folders from the ground up
 * @param {string} [entries] files that may import from all folders, because no other code imports them
 */
function importsLeadDown(folders, entries) {
  return folders.slice(0, -1).map((folder, index) => ({
    name: 'imports-lead-down',
    comment: `A folder imports only from the folders before it in this list: ${folders.join(', ')}.`,
    severity: /** @type {const} */ ('error'),
    from: { path: within(folder), ...(entries && { pathNot: entries }) },
    to: { path: folders.slice(index + 1).map(within) },
  }))
}

/**
 * Matches npm packages, installed or not.
 *
 * @param {string[]} names regular expressions
 */
function packages(...names) {
  return `(^|node_modules/)(${names.join('|')})(/|$)`
}

/**
 * Matches the files of a floor, but not of the floors inside its folder.
 *
 * @param {string} floor
 */
function within(floor) {
  const inside = floors.filter((other) => other.startsWith(`${floor}/`)).map((other) => other.slice(floor.length + 1))
  return inside.length === 0 ? `^${floor}/` : `^${floor}/(?!(${inside.join('|')})/)`
}
