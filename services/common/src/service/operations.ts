import { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import { replayDeadLetters } from '../events/index.ts'
import { type BoundService, bind } from '../grpc/index.ts'
import type { Runtime } from './runtime.ts'

/** Binds OperationsService, which every service offers to the operator. */
export function bindOperations({ database, nats }: Runtime): BoundService {
  return bind(OperationsService, {
    replayDeadLetters: async ({ consumer }, { signal }) => ({
      count: await replayDeadLetters(database, nats, { consumer, signal }),
    }),
  })
}
