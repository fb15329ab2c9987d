import type { AppContext } from '../context.ts'
import { analyzeDocuments, createKeyIndex } from '../db/document-table.ts'
import { failGeneration, makeLive } from '../db/generation-repository.ts'
import { noteChecked } from '../db/rebuild-repository.ts'
import { kinds } from '../kinds/index.ts'
import { fillGeneration } from './fill.ts'
import { verifyAll } from './verify.ts'

/**
 * Fills a generation from its owners, makes its index, compares it with them and has searches use it; one that stays
 * different fails. Goes on with what an earlier attempt has done.
 * @param isOver asked now and then; true ends it with an error
 */
export async function buildGeneration(ctx: AppContext, generation: string, isOver: () => boolean): Promise<void> {
  await fillGeneration(ctx, generation, isOver)
  // Both to their end, so that a next attempt finds neither under way.
  const [indexed, compared] = await Promise.allSettled([
    indexDocuments(ctx, generation),
    compareAll(ctx, generation, isOver),
  ])
  if (indexed.status === 'rejected') throw indexed.reason
  if (compared.status === 'rejected') throw compared.reason
  const drifted = compared.value
  if (drifted > 0) await failGeneration(ctx.database, generation, `${drifted} documents differ from their owners.`)
  else await makeLive(ctx.database, generation)
}

/** Events may be behind for a while, where there were many at once. */
const patienceMs = 60_000

async function indexDocuments({ bulk }: AppContext, generation: string): Promise<void> {
  await createKeyIndex(bulk, generation)
  await analyzeDocuments(bulk, generation)
}

/** @returns how many documents differ */
async function compareAll(ctx: AppContext, generation: string, isOver: () => boolean): Promise<number> {
  let drifted = 0
  for (const kind of kinds) {
    const verdict = await verifyAll(ctx, generation, kind, isOver, patienceMs)
    await noteChecked(ctx.database, generation, kind.type, verdict)
    drifted += verdict.drifted
  }
  return drifted
}
