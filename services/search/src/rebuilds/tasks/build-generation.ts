import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { documentWrite, selectPreviousDocuments, selectStoreTypes } from '../../documents/db/document-repository.ts'
import { analyzeGeneration, createGramIndex, currentLayout } from '../../documents/db/document-table.ts'
import { typeKey } from '../../documents/domain/document-index.ts'
import { documentOf } from '../../documents/mappers.ts'
import { recordTypeOf, recordTypes } from '../../record-types/index.ts'
import { failGeneration, findLiveGeneration, makeLive, markReady } from '../db/generation-repository.ts'
import { recordVerification } from '../db/rebuild-repository.ts'
import { fillGeneration } from './fill-generation.ts'
import { verifyAll } from './verify-index.ts'

/**
 * Fills a generation from the owners, creates its gram index, verifies it and makes it live; a generation with persistent
 * differences fails. Continues where an earlier attempt stopped.
 * @param isCancelled checked regularly; true ends the build with an error
 */
export async function buildGeneration(ctx: AppContext, generation: string, isCancelled: () => boolean): Promise<void> {
  await fillGeneration(ctx, generation, isCancelled)
  // Wait for both, so that the next attempt does not run beside either.
  const [indexed, verified] = await Promise.allSettled([
    indexDocuments(ctx, generation),
    verifyTypes(ctx, generation, isCancelled),
  ])
  if (indexed.status === 'rejected') throw indexed.reason
  if (verified.status === 'rejected') throw verified.reason
  const drifted = verified.value
  if (drifted > 0) {
    await failGeneration(ctx.database, generation, `${drifted} documents differ from their owners.`)
    return
  }
  await outlivePreviousRelease(ctx, generation, isCancelled)
  await makeLive(ctx.database, generation)
}

/**
 * Keeps a live generation of an older layout for a while, for the pods of the previous release, which can search no
 * other. Both generations receive the events of all pods; the pods of this release search the new one.
 */
async function outlivePreviousRelease(
  { database, handoverMs }: AppContext,
  generation: string,
  isCancelled: () => boolean,
): Promise<void> {
  const live = await findLiveGeneration(database)
  if (!live || live.layout >= currentLayout) return
  while ((await markReady(database, generation)) < handoverMs) {
    if (isCancelled()) throw new Error('The rebuild was interrupted.')
    await pause(handoverPollMs)
  }
  await rewritePreviousDocuments(database, generation, isCancelled)
}

/** Pods of the previous release have written events without the keys of identifiers until now. */
async function rewritePreviousDocuments(
  database: Database,
  generation: string,
  isCancelled: () => boolean,
): Promise<void> {
  const types = (await selectStoreTypes(database, generation)).map((one) => ({
    ...one,
    key: typeKey(one.storeId, one.type),
  }))
  for (;;) {
    const found = await selectPreviousDocuments(database, generation, types, rewrittenAtOnce)
    if (found.length === 0) return
    if (isCancelled()) throw new Error('The rebuild was interrupted.')
    const documents = found.map((document) => documentOf(recordTypeOf(document.type), document))
    await database.query(documentWrite(generation, documents, { again: true }))
  }
}

const rewrittenAtOnce = 500

const handoverPollMs = 500

/** A burst of events can delay the index for a while. */
const patienceMs = 60_000

async function indexDocuments({ bulk }: AppContext, generation: string): Promise<void> {
  await bulk(async (connection) => {
    await createGramIndex(connection, generation)
    await analyzeGeneration(connection, generation)
  })
}

/** @returns the number of documents that differ */
async function verifyTypes(ctx: AppContext, generation: string, isCancelled: () => boolean): Promise<number> {
  let drifted = 0
  for (const recordType of recordTypes) {
    const result = await verifyAll(ctx, generation, recordType, isCancelled, patienceMs)
    await recordVerification(ctx.database, generation, recordType.type, result)
    drifted += result.drifted
  }
  return drifted
}
