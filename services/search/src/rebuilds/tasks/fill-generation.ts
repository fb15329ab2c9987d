import type { Position } from '../../adapters/owners.ts'
import type { AppContext } from '../../context.ts'
import { documentOf } from '../../documents/mappers/documents.ts'
import { type RecordType, recordTypes } from '../../documents/mappers/record-types/index.ts'
import { selectParts } from '../db/generation-repository.ts'
import { markFilled, writePage } from '../db/rebuild-repository.ts'

/**
 * Copies the records of all owners into a generation, starting where an earlier worker stopped. Events are written at
 * the same time; the newer version of a record wins.
 * @param isCanceled checked before each page; true ends the fill with an error
 */
export async function fillGeneration(ctx: AppContext, generation: string, isCanceled: () => boolean): Promise<void> {
  const parts = new Map((await selectParts(ctx.database, generation)).map((part) => [part.aggregate, part]))
  for (const recordType of recordTypes) {
    const part = parts.get(recordType.type)
    if (!part || part.isFilled) continue
    await fillPart(ctx, generation, recordType, { storeId: part.afterStoreId, id: part.afterId }, isCanceled)
  }
  await markFilled(ctx.database, generation)
}

/** A pipeline: while one page is written, the next one is converted and the one after that is read. */
async function fillPart(
  { owners, database }: AppContext,
  generation: string,
  recordType: RecordType,
  start: Position,
  isCanceled: () => boolean,
): Promise<void> {
  let after: Position | undefined = start
  let reading = owners.exportRecords(recordType, start, pageSize)
  let writing = Promise.resolve(true)
  while (after) {
    const { records, more } = await reading
    if (isCanceled()) throw new Error('The rebuild was interrupted.')
    const last = more ? records.at(-1) : undefined
    if (last) reading = handleLater(owners.exportRecords(recordType, { storeId: last.storeId, id: last.id }, pageSize))
    const documents = records.map((record) => documentOf(recordType, { ...record, version: record.version.toString() }))
    if (!(await writing)) throw new Error('Another worker is filling this generation.')
    writing = handleLater(
      writePage(database, { generation, aggregate: recordType.type, after, documents, isLast: !last }),
    )
    after = last && { storeId: last.storeId, id: last.id }
  }
  if (!(await writing)) throw new Error('Another worker is filling this generation.')
}

/** Marks rejections as handled: the promise is awaited later, or not at all if something else fails first. */
function handleLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

const pageSize = 1000
