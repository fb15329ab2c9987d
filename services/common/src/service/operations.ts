import { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import { type Consumer, replayDeadLetters } from '../events/index.ts'
import { type BoundService, bind } from '../grpc/index.ts'
import type { Database } from '../postgres/index.ts'

/** Binds OperationsService, which every service offers to the operator. */
export function bindOperations(database: Database, consumers: readonly Consumer[]): BoundService {
  return bind(OperationsService, {
    async replayDeadLetters({ consumer }, { signal }) {
      const { applied, failed } = await replayDeadLetters(database, consumers, { consumer, signal })
      return { count: applied, failed }
    },
  })
}
