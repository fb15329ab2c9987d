import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import type { Stage } from './domain/stage.ts'

export const stageToProto = {
  on_purchase: CommandStage.ON_PURCHASE,
  on_expire: CommandStage.ON_EXPIRE,
  on_refund: CommandStage.ON_REFUND,
  on_renew: CommandStage.ON_RENEW,
  on_chargeback: CommandStage.ON_CHARGEBACK,
  on_trial_start: CommandStage.ON_TRIAL_START,
  on_trial_expire: CommandStage.ON_TRIAL_EXPIRE,
} as const satisfies Record<Stage, CommandStage>
