import type { Position } from '../adapters/owners.ts'
import type { AppContext } from '../context.ts'
import { selectParts } from '../db/generation-repository.ts'
import { markFilled, writePage } from '../db/rebuild-repository.ts'
import { documentOf } from '../document.ts'
import { type Kind, kindOf, kinds } from '../kinds/index.ts'

/**
 * Reads all records of all owners into a generation, from where an earlier worker came to. Events go into it at the
 * same time; whichever brings the newer version of a record wins.
 * @param signal aborted when the worker has to stop, which is between two pages
 */
export async function fillGeneration(ctx: AppContext, generation: string, signal: AbortSignal): Promise<void> {
  const parts = new Map((await selectParts(ctx.database, generation)).map((part) => [part.aggregate, part]))
  for (const { type } of kinds) {
    const part = parts.get(type)
    if (!part || part.isFilled) continue
    await fillPart(ctx, generation, kindOf(type), { storeId: part.afterStoreId, id: part.afterId }, signal)
  }
  await markFilled(ctx.database, generation)
}

/** Reads one page ahead of the one that is being written. */
async function fillPart(
  { owners, database }: AppContext,
  generation: string,
  kind: Kind,
  start: Position,
  signal: AbortSignal,
): Promise<void> {
  let after = start
  let next = owners.exportRecords(kind, after, pageSize)
  for (;;) {
    const { records, more } = await next
    signal.throwIfAborted()
    const last = records.at(-1)
    if (more && last) {
      next = owners.exportRecords(kind, { storeId: last.storeId, id: last.id }, pageSize)
      // Awaited in the next round; until then nobody else hears of its failure.
      next.catch(() => {})
    }
    const documents = records.map(({ storeId, id, version, record }) =>
      documentOf(kind, { storeId, id, version: version.toString(), record }),
    )
    const page = { generation, aggregate: kind.type, after, documents, isLast: !more }
    if (!(await writePage(database, page))) throw new Error('Another worker fills this generation.')
    if (!more || !last) return
    after = { storeId: last.storeId, id: last.id }
  }
}

const pageSize = 1000
