import pg from 'pg'

/**
 * Runs a named statement as the first of a transaction, its `begin` travelling with it. A transaction of three
 * statements then costs two round trips less, a third of its CPU.
 *
 * Both are one unit of the protocol, up to one Sync: should the `begin` fail (be cancelled, say), Postgres skips the
 * statement. Sent as two units the statement would run, and commit, outside any transaction.
 */
export async function queryAfterBegin(client: pg.PoolClient, config: NamedConfig): Promise<pg.QueryResult> {
  if (!isPrepared(client, config)) {
    await client.query('begin')
    return client.query(config)
  }
  return new Promise((resolve, reject) => {
    const query = new OpeningQuery(config, (error, result) => (error ? reject(error) : resolve(result)))
    client.query(query as unknown as pg.Query)
  })
}

/** Sends everything that `send` sends in one write. */
export function inOneWrite<T>(client: pg.PoolClient, send: () => T): T {
  const { stream } = internals(client)
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

export type NamedConfig = pg.QueryConfig<unknown[]>

/**
 * The parts of `pg` that its types leave out. NOTE They are not promised to stay; the tests of transactions cover
 * each, and the version is pinned.
 */
interface WireConnection {
  stream: { cork(): void; uncork(): void }
  /** Texts of the statements that this connection has prepared, by name. */
  parsedStatements: Record<string, string | undefined>
  parse(statement: { text: string }): void
  bind(portal: Record<string, never>): void
  execute(portal: Record<string, never>): void
}

function internals(client: pg.PoolClient): WireConnection {
  return (client as unknown as { connection: WireConnection }).connection
}

/**
 * Whether the connection has prepared the statement before. `pg` takes the first "parse complete" for that of the
 * query's own name, so a statement that is yet to be parsed must not share its unit with another.
 */
function isPrepared(client: pg.PoolClient, { name }: NamedConfig): boolean {
  return name !== undefined && internals(client).parsedStatements[name] !== undefined
}

type Done = (error: Error | null, result: pg.QueryResult) => void

/** `pg.Query` as it is. */
type QueryClass = new (
  config: NamedConfig & { callback: Done },
) => {
  submit(connection: WireConnection): void
  handleCommandComplete(message: unknown, connection: WireConnection): void
}

class OpeningQuery extends (pg.Query as unknown as QueryClass) {
  #hasBegun = false

  constructor(config: NamedConfig, done: Done) {
    super({ ...config, callback: done })
  }

  override submit(connection: WireConnection): void {
    connection.stream.cork()
    try {
      connection.parse({ text: 'begin' })
      connection.bind({})
      connection.execute({})
      super.submit(connection)
    } finally {
      connection.stream.uncork()
    }
  }

  /** The first is that of `begin`. */
  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#hasBegun) super.handleCommandComplete(message, connection)
    this.#hasBegun = true
  }
}
