import { errors, violation } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import { findUnknownServers } from '../db/global-command-repository.ts'
import type { GlobalCommandState } from '../domain/global-command.ts'
import { globalServersPath } from '../domain/global-command-draft.ts'

/** @throws ServiceFault `validation-failed` naming every game server that the store does not have */
export async function requireServers(
  tx: Transaction,
  storeId: string,
  { gameServerIds }: Pick<GlobalCommandState, 'gameServerIds'>,
): Promise<void> {
  const unknown = await findUnknownServers(tx, storeId, gameServerIds)
  const violations = gameServerIds.flatMap((id, index) =>
    unknown.has(id)
      ? [violation(`${globalServersPath}.${index}`, 'reference', 'must be the id of a game server of this store')]
      : [],
  )
  if (violations.length > 0) throw errors.validationFailed(violations)
}
