import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { AppContext, SearchHandlers } from '../../context.ts'
import { findGeneration, selectParts } from '../db/generation-repository.ts'
import { rebuildToProto } from '../mappers.ts'

export function getRebuild({ database }: AppContext): SearchHandlers['getRebuild'] {
  return async ({ rebuildId }) => {
    // A rebuild id is not a snowflake id, but a number of the same format.
    const generation = isFlakeId(rebuildId) ? await findGeneration(database, rebuildId) : undefined
    if (!generation) throw errors.notFound('rebuild')
    return { rebuild: rebuildToProto(generation, await selectParts(database, rebuildId)) }
  }
}
