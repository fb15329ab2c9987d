import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../src/postgres/index.ts'

/** The query plans of the statements that a lookup sends, one text each. The lookup itself gets no rows. */
export async function plansOf(database: Queryable, lookUp: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  const statements: Sql[] = []
  const noted = async (statement: Sql) => {
    statements.push(statement)
    return []
  }
  await lookUp({ query: noted as Queryable['query'] })
  return await Promise.all(statements.map((statement) => explain(database, statement)))
}

/** The query plan of a statement. */
export async function explain(database: Queryable, statement: Sql): Promise<string> {
  const lines = await database.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
  return lines.map((line) => line['QUERY PLAN']).join('\n')
}
