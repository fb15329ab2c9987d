import type { AppContext } from '../../context.ts'
import { isUndefinedTable } from '../../documents/db/undefined-table.ts'
import { findLiveGeneration } from '../db/generation-repository.ts'

/**
 * Verifies the live generation. A generation that is replaced during the verification receives no more events, and its tables
 * are dropped, so the result is void.
 * @returns undefined if there is no live generation, or if it was replaced
 */
export async function verifyLive<T>(
  { database }: Pick<AppContext, 'database'>,
  verify: (generation: string) => Promise<T>,
): Promise<T | undefined> {
  const live = await findLiveGeneration(database)
  if (!live) return undefined
  try {
    const result = await verify(live.id)
    return (await findLiveGeneration(database))?.id === live.id ? result : undefined
  } catch (error) {
    if (isUndefinedTable(error)) return undefined
    throw error
  }
}
