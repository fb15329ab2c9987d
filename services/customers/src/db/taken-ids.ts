import { errors } from '@storekeep/common/errors'
import { isUniqueViolation } from '@storekeep/common/postgres'
import { idTaken, uniqueIds } from '../domain/customer-batch.ts'

/**
 * Turns the table's word that an id belongs to another customer into a `conflict` that names the member. The table
 * decides it, also between calls at the same time; a look beforehand could not.
 */
export async function refuseTakenIds<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const path = takenId(error)
    if (path === undefined) throw error
    throw errors.conflict('Another customer of the store has this id.', [idTaken(path)])
  }
}

/** The path of the member whose value another customer of the store has, when that is what `error` says. */
export function takenId(error: unknown): string | undefined {
  return uniqueIds.find(({ path }) => isUniqueViolation(error, `customer_${path}_unique`))?.path
}
