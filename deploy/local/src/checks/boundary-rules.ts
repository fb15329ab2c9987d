/**
 * Who may not import what. `from` is the importing file's path in the repository; `to` is the imported file's path for
 * a relative import, else the name as written ("pg", "node:fs", "@storekeep/proto/stores/v1/store").
 */
export const boundaryRules: readonly BoundaryRule[] = [
  {
    name: 'a service reaches another only through its proto',
    from: /^services\/(?!common\/)([^/]+)\//,
    to: /^(services\/(?!common\/)|@storekeep\/(?!common\b|proto\b|gateway\b))/,
    unless: (from, to) => to.startsWith(`${from.split('/').slice(0, 2).join('/')}/`),
  },
  {
    name: 'the shared runtime knows no service',
    from: /^services\/common\//,
    to: /^(services\/(?!common\/)|gateway\/|@storekeep\/(?!common|proto|local))/,
  },
  {
    name: 'no service imports the gateway',
    from: /^services\//,
    to: /^(gateway\/|@storekeep\/gateway)/,
  },
  {
    name: 'the gateway holds no database and no consumer, and no service code',
    from: /^gateway\/src\//,
    to: /^(pg|sql-template-tag|node-pg-migrate|@nats-io\/.*|@storekeep\/common\/(postgres|events|nats|write)|@storekeep\/(?!common\b|proto\b).*|services\/.*)$/,
  },
  {
    name: 'a handler holds no SQL',
    from: /^services\/[^/]+\/src\/(?:[^/]+\/)?handlers\//,
    to: /^(pg|sql-template-tag|node-pg-migrate)$/,
  },
  {
    name: 'the domain does no I/O and knows no wire format',
    from: /^services\/[^/]+\/src\/(?:[^/]+\/)?domain\/(?!.*\.test\.ts$)/,
    to: /^(pg|sql-template-tag|redis|pino|@nats-io\/.*|@grpc\/.*|@bufbuild\/.*|@storekeep\/proto\/(?!conventions\/).*|@storekeep\/common\/(postgres|events|nats|redis|grpc|write|log|telemetry|lifecycle|config)|node:(fs|net|http|https|http2|tls|dns|dgram|child_process)(\/.*)?|services\/[^/]+\/src\/(?!(?:[^/]+\/)?domain\/).*)$/,
  },
  {
    name: 'a repository knows rows, not messages',
    from: /^services\/[^/]+\/src\/(?:[^/]+\/)?db\//,
    to: /^(@storekeep\/proto\/(?!conventions\/).*|@bufbuild\/.*|@grpc\/.*|services\/[^/]+\/src\/(?!(?:[^/]+\/)?(?:db|domain)\/).*)$/,
  },
  {
    name: 'acceptance tests speak HTTP only',
    from: /^test\/acceptance\//,
    to: /^(services\/.*|gateway\/.*|proto\/.*|@storekeep\/(?!test\b|local\b).*|pg|redis|@grpc\/.*|@nats-io\/.*)$/,
  },
]

export interface BoundaryRule {
  /** What holds, as a sentence. */
  name: string
  from: RegExp
  to: RegExp
  unless?: (from: string, to: string) => boolean
}
