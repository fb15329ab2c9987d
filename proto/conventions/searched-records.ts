/** Every kind of record that the dashboard search finds, named as in the interface and in the subjects of events. */
export const searchedRecords = [
  'customer',
  'ban',
  'coupon',
  'affiliate_link',
  'custom_variable',
  'checkout_session',
  'product',
] as const

export type SearchedRecord = (typeof searchedRecords)[number]
