import type pg from 'pg'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { runStatement } from './run-statement.ts'

it('a finished query does not keep its rows', async () => {
  const sent: SentQuery[] = []
  const client = {
    query(query: SentQuery) {
      sent.push(query)
      query._result.rows.push({ n: 1 })
      query.callback()
    },
  } as unknown as pg.ClientBase
  expect(await runStatement(client, sql`select 1 as n`)).toEqual([{ n: 1 }])
  expect(sent.map(({ _result }) => _result.rows)).toEqual([[]])
})

/** The parts of pg's Query that the client uses. */
interface SentQuery {
  _result: { rows: object[] }
  callback(): void
}
