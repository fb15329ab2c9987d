import { errors } from '@storekeep/common/errors'
import { takenPath } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { findIdOwners } from '../db/customer-batch-repository.ts'
import { uniqueAccountIds } from '../db/unique-account-ids.ts'
import { takenIdsOf, type UniqueIds } from '../domain/customer-batch.ts'

/**
 * Waits for the insert or update of a customer. If an id belongs to another customer of the store, the fault names every such id
 * and the customer that has it.
 * @param ids the ids that `work` writes
 * @param self the id of the customer, if it exists
 * @throws ServiceFault `conflict`, or the original error
 */
export async function conflictOnTakenIds<T>(
  { database }: AppContext,
  storeId: string,
  ids: Partial<UniqueIds>,
  work: Promise<T>,
  self?: string,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (takenPath(uniqueAccountIds, error) === undefined) throw error
    const { steamId = null, minecraftUuid = null, xboxXuid = null } = ids
    const owners = await findIdOwners(database, storeId, [{ steamId, minecraftUuid, xboxXuid }])
    const taken = takenIdsOf(
      ids,
      owners.filter(({ id }) => id !== self),
    )
    // The other customer no longer has the id, so a retry can succeed.
    if (taken.length === 0) throw errors.unavailable(error)
    throw errors.conflict('Another customer of this store has this id.', taken)
  }
}
