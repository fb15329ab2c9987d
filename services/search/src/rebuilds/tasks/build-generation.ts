import type { AppContext } from '../../context.ts'
import { analyzeGeneration, createGramIndex } from '../../documents/db/document-table.ts'
import { recordTypes } from '../../documents/mappers/record-types/index.ts'
import { failGeneration, makeLive } from '../db/generation-repository.ts'
import { recordVerification } from '../db/rebuild-repository.ts'
import { fillGeneration } from './fill-generation.ts'
import { verifyAll } from './verify-index.ts'

/**
 * Fills a generation from the owners, creates its gram index, verifies it and makes it live; a generation with persistent
 * differences fails. Continues where an earlier attempt stopped.
 * @param isCanceled checked regularly; true ends the build with an error
 */
export async function buildGeneration(ctx: AppContext, generation: string, isCanceled: () => boolean): Promise<void> {
  await fillGeneration(ctx, generation, isCanceled)
  // Wait for both, so that the next attempt does not run beside either.
  const [indexed, verified] = await Promise.allSettled([
    indexDocuments(ctx, generation),
    verifyTypes(ctx, generation, isCanceled),
  ])
  if (indexed.status === 'rejected') throw indexed.reason
  if (verified.status === 'rejected') throw verified.reason
  const drifted = verified.value
  if (drifted > 0) {
    await failGeneration(ctx.database, generation, `${drifted} documents differ from their owners.`)
    return
  }
  await makeLive(ctx.database, generation)
}

/** A burst of events can delay the index for a while. */
const patienceMs = 60_000

async function indexDocuments({ bulk }: AppContext, generation: string): Promise<void> {
  await bulk(async (connection) => {
    await createGramIndex(connection, generation)
    await analyzeGeneration(connection, generation)
  })
}

/** @returns the number of documents that differ */
async function verifyTypes(ctx: AppContext, generation: string, isCanceled: () => boolean): Promise<number> {
  let drifted = 0
  for (const recordType of recordTypes) {
    const result = await verifyAll(ctx, generation, recordType, { isCanceled, patienceMs })
    await recordVerification(ctx.database, generation, recordType.type, result)
    drifted += result.drifted
  }
  return drifted
}
