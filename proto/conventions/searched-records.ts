/** The record types of the dashboard search, named as in the public interface and in event subjects. */
export const searchedRecords = [
  'customer',
  'ban',
  'coupon',
  'affiliate_link',
  'custom_variable',
  'checkout_session',
  'product',
  'order',
  'delivery_item',
  'subscription',
] as const

export type SearchedRecord = (typeof searchedRecords)[number]
