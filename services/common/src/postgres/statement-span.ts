import type { Sql } from 'sql-template-tag'
import {
  activeSpan,
  attributes,
  endWith,
  type Span,
  type SpanAttributes,
  startSpan,
  values,
} from '../telemetry/index.ts'

/**
 * Sends a statement, with a span if there is a parent. The span names the operation and the table, never values.
 */
export function traceStatement<T>(
  statement: Pick<Sql, 'text'>,
  send: () => Promise<T>,
  parent: Span | undefined = activeSpan(),
): Promise<T> {
  if (!parent) return send()
  const summary = summarize(statement.text)
  const span = startSpan(summary, 'client', parent.context, {
    [attributes.dbSystemName]: values.postgresql,
    [attributes.dbOperationName]: summary.split(' ', 1)[0],
    [attributes.dbQuerySummary]: summary,
  })
  return span ? endWith(span, send) : send()
}

/** Runs a transaction with a span, which becomes the parent of its statements. */
export function traceTransaction<T>(run: (span: Span | undefined) => Promise<T>): Promise<T> {
  const parent = activeSpan()
  const span = parent && startSpan('transaction', 'internal', parent.context, transactionAttributes)
  return span ? endWith(span, () => run(span)) : run(undefined)
}

const transactionAttributes: SpanAttributes = { [attributes.dbSystemName]: values.postgresql }

/** "INSERT customer": the operation and the first table that is written, otherwise read. */
export function summarize(text: string): string {
  const [, verb = '', table] = write.exec(text) ?? read.exec(text) ?? []
  if (table === undefined) return /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'STATEMENT'
  return `${verb === 'from' ? 'SELECT' : verb.toUpperCase()} ${nameOf(table)}`
}

/** Does not match `for update` and `do update set`, which name no table. */
const write =
  /(?<!\b(?:for|do|key)\s+)\b(insert(?=\s+into)|delete(?=\s+from)|update)\s+(?:into\s+|from\s+)?(?:only\s+)?([a-z_]\w*)/i
const read = /\b(from)\s+(?:only\s+)?([a-z_]\w*)/i

/** Removes the number of partition-like tables (`document_17`). */
function nameOf(table: string): string {
  return table.replace(/_\d+$/, '')
}
