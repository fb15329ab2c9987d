import type { Position } from '../adapters/owners.ts'
import type { AppContext } from '../context.ts'
import { selectParts } from '../db/generation-repository.ts'
import { markFilled, writePage } from '../db/rebuild-repository.ts'
import { documentOf } from '../document.ts'
import { type Kind, kindOf, kinds } from '../kinds/index.ts'

/**
 * Reads all records of all owners into a generation, from where an earlier worker came to. Events go into it at the
 * same time; whichever brings the newer version of a record wins.
 * @param isOver asked between two pages; true ends it with an error
 */
export async function fillGeneration(ctx: AppContext, generation: string, isOver: () => boolean): Promise<void> {
  const parts = new Map((await selectParts(ctx.database, generation)).map((part) => [part.aggregate, part]))
  for (const { type } of kinds) {
    const part = parts.get(type)
    if (!part || part.isFilled) continue
    await fillPart(ctx, generation, kindOf(type), { storeId: part.afterStoreId, id: part.afterId }, isOver)
  }
  await markFilled(ctx.database, generation)
}

/** While a page is written, the next one is made ready and the one after that is read. */
async function fillPart(
  { owners, database }: AppContext,
  generation: string,
  kind: Kind,
  start: Position,
  isOver: () => boolean,
): Promise<void> {
  let after: Position | undefined = start
  let reading = owners.exportRecords(kind, start, pageSize)
  let writing = Promise.resolve(true)
  while (after) {
    const { records, more } = await reading
    if (isOver()) throw new Error('The rebuild was interrupted.')
    const last = more ? records.at(-1) : undefined
    if (last) reading = quietly(owners.exportRecords(kind, { storeId: last.storeId, id: last.id }, pageSize))
    const documents = records.map((record) => documentOf(kind, { ...record, version: record.version.toString() }))
    if (!(await writing)) throw new Error('Another worker fills this generation.')
    writing = quietly(writePage(database, { generation, aggregate: kind.type, after, documents, isLast: !last }))
    after = last && { storeId: last.storeId, id: last.id }
  }
  if (!(await writing)) throw new Error('Another worker fills this generation.')
}

/** Awaited later; should something else fail before that, nobody hears of its failure. */
function quietly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

const pageSize = 1000
