/** Why a customer receives an email. A store can disable each kind. */
export const emailKinds = [
  'receipt',
  'refund',
  'gift_received',
  'subscription_renewed',
  'payment_failed',
  'subscription_ending',
] as const
export type EmailKind = (typeof emailKinds)[number]
