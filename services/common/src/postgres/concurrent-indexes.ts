import pg from 'pg'
import { dropInvalidIndex, withBulkConnection } from './bulk-connection.ts'

/**
 * The statements of a migration that creates or drops indexes `concurrently`, without blocking writes. Such statements cannot run
 * in a transaction, so the file contains nothing else.
 *
 * @returns undefined for every other migration
 * @throws Error for a statement that could not be repeated after an interrupted run
 */
export function concurrentStatements(migration: string, text: string): readonly IndexStatement[] | undefined {
  const code = text.replace(/--.*$/gm, '')
  if (!/\bconcurrently\b/i.test(code)) return undefined
  const statements = code.split(';').map((statement) => statement.trim())
  return statements.filter(Boolean).map((statement) => {
    const index = pattern.exec(statement)?.[1]
    if (index === undefined)
      throw new Error(
        `Migration ${migration} contains more than statements of the form "create index concurrently if not exists <name> …;" and "drop index concurrently if exists <name>;". Move the others to another file.`,
      )
    return { index, statement }
  })
}

const pattern =
  /^(?:create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not|drop\s+index\s+concurrently\s+if)\s+exists\s+(\w+)/i

/**
 * Executes the statements. An index that an interrupted run left unfinished is created again.
 * @param options.lockMs how long to wait for other transactions
 * @throws Error if another transaction stays open for too long: these statements wait for all that started before them
 */
export async function runConcurrently(
  statements: readonly IndexStatement[],
  options: { url: string; lockMs: number | undefined },
): Promise<void> {
  await withBulkConnection({ ...options, applicationName: 'storekeep-migrations' }, async (bulk) => {
    for (const { index, statement } of statements) {
      try {
        await dropInvalidIndex(bulk, index)
        await bulk.alone(statement)
      } catch (error) {
        if (!(error instanceof pg.DatabaseError && error.code === '55P03')) throw error
        const message = `Index ${index} waited too long for an open transaction. End it (see pg_stat_activity) and run the migrations again.`
        throw new Error(message, { cause: error })
      }
    }
  })
}

interface IndexStatement {
  index: string
  statement: string
}
