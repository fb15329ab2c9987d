import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import { CommandAttemptState, DeliveryItemState, RevokeReason } from '@storekeep/proto/delivery/v1/delivery_item'
import { ExecutionRule } from '@storekeep/proto/delivery/v1/global_command'
import { z } from 'zod'
import { namesOf } from '../schemas/enums.ts'

export const commandStageValues = {
  on_purchase: CommandStage.ON_PURCHASE,
  on_expire: CommandStage.ON_EXPIRE,
  on_refund: CommandStage.ON_REFUND,
  on_renew: CommandStage.ON_RENEW,
  on_chargeback: CommandStage.ON_CHARGEBACK,
  on_trial_start: CommandStage.ON_TRIAL_START,
  on_trial_expire: CommandStage.ON_TRIAL_EXPIRE,
} as const

export const commandStage = z.enum(namesOf(commandStageValues)).meta({
  id: 'CommandStageDto',
  description:
    'When a command runs. `on_expire` also runs when staff revoke an item. The stages of trials never run yet, because there are no ' +
    'trials.',
})

export const executionRuleValues = {
  once_per_item: ExecutionRule.ONCE_PER_ITEM,
  once_per_order: ExecutionRule.ONCE_PER_ORDER,
} as const

export const executionRule = z.enum(namesOf(executionRuleValues)).meta({
  id: 'CommandExecutionRuleDto',
  description:
    '`once_per_order` runs the command once in each stage, with the first item of the order that reaches it.',
})

export const itemStateValues = {
  usable: DeliveryItemState.USABLE,
  active: DeliveryItemState.ACTIVE,
  used: DeliveryItemState.USED,
  revoked: DeliveryItemState.REVOKED,
  renewed: DeliveryItemState.RENEWED,
} as const

export const itemState = z.enum(namesOf(itemStateValues)).meta({
  id: 'DeliveryItemStateDto',
  description:
    '`usable` until the first command was executed, then `active`. An item without commands is active from the start. `used` once it ' +
    'has expired; `revoked` by a refund, a chargeback or staff; `renewed` once a renewal has replaced it.',
})

export const revokeReasonValues = {
  refund: RevokeReason.REFUND,
  chargeback: RevokeReason.CHARGEBACK,
  manual: RevokeReason.MANUAL,
} as const

export const revokeReason = z.enum(namesOf(revokeReasonValues)).meta({
  id: 'DeliveryItemRevokeReasonDto',
  description: 'Why an item was revoked. `manual`: by staff.',
})

export const attemptStateValues = {
  pending: CommandAttemptState.PENDING,
  blocked: CommandAttemptState.BLOCKED,
  executed: CommandAttemptState.EXECUTED,
  unqueued: CommandAttemptState.UNQUEUED,
} as const

export const attemptState = z.enum(namesOf(attemptStateValues)).meta({
  id: 'CommandAttemptStateDto',
  description:
    '`pending` until a game server reports the command as executed. `blocked` while a placeholder has no value. `unqueued` commands ' +
    'never run.',
})
