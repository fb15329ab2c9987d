/** When a command of a product runs. Trials do not exist yet, so the last two never run. */
export const stages = [
  'on_purchase',
  'on_expire',
  'on_refund',
  'on_renew',
  'on_chargeback',
  'on_trial_start',
  'on_trial_expire',
] as const
export type Stage = (typeof stages)[number]
