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
    {
      name: 'services-talk-through-protos',
      comment: 'A service reaches another one only through its proto.',
      severity: 'error',
      from: { path: '^services/(?!common/)([^/]+)/' },
      to: {
        path: '^(services/(?!common/|$1/)|gateway/|deploy/)|^@storekeep/(?!common/|proto/|records/)',
        pathNot: '^deploy/local/src/infra/',
      },
    },
    {
      name: 'only-tests-start-servers',
      comment: 'A fault test starts the servers that it breaks.',
      severity: 'error',
      from: { path: '^services/(?!common/)[^/]+/src/' },
      to: { path: '^deploy/local/' },
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
      to: {
        path: ['^(services|gateway)/|^@storekeep/(?!proto/)', packages('express', 'zod-openapi')],
        reachable: true,
      },
    },
    {
      name: 'common-knows-no-service',
      comment: 'The shared runtime imports no service and not the gateway.',
      severity: 'error',
      from: { path: '^services/common/' },
      to: { path: '^(services/(?!common/)|gateway/)|^@storekeep/(?!common/|proto/|local/)' },
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
          '^services/common/src/(crypto|errors|flake|page|values)/',
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
 * Matches npm packages, installed or not.
 *
 * @param {string[]} names regular expressions
 */
function packages(...names) {
  return `(^|node_modules/)(${names.join('|')})(/|$)`
}
