import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import { type GlobalCommandSchema, ExecutionRule as ProtoRule } from '@storekeep/proto/delivery/v1/global_command'
import {
  GlobalCommandInputSchema,
  type GlobalCommandInput as ProtoInput,
} from '@storekeep/proto/delivery/v1/global_commands_service'
import { stageToProto } from '../mappers.ts'
import type { GlobalCommandRow } from './db/global-command-repository.ts'
import type { ExecutionRule } from './domain/global-command.ts'
import type { GlobalCommandInput } from './domain/global-command-draft.ts'

/** An absent input has no fields set. */
export function globalCommandInputFromProto(input: ProtoInput = create(GlobalCommandInputSchema)): GlobalCommandInput {
  return {
    stage: enumFromProto(stageToProto, input.stage),
    content: input.content,
    onlineOnly: input.onlineOnly,
    gameServerIds: input.overrideExecuteOnGameserverIds,
    executionRule: enumFromProto(ruleToProto, input.executionRule) ?? 'once_per_item',
  }
}

export function globalCommandToProto(row: GlobalCommandRow): MessageInitShape<typeof GlobalCommandSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    command: {
      stage: stageToProto[row.stage],
      content: row.content,
      onlineOnly: row.onlineOnly,
      overrideExecuteOnGameserverIds: [...row.gameServerIds],
    },
    executionRule: ruleToProto[row.executionRule],
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

const ruleToProto = {
  once_per_item: ProtoRule.ONCE_PER_ITEM,
  once_per_order: ProtoRule.ONCE_PER_ORDER,
} as const satisfies Record<ExecutionRule, ProtoRule>
