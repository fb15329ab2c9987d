// Generated from deploy/topology.ts by `npm run codegen`. Edit that file instead.

/** The services that the gateway calls, each with the setting that holds its address. */
export const addressSettings = {
  stores: 'STORES_ADDRESS',
  customers: 'CUSTOMERS_ADDRESS',
  bans: 'BANS_ADDRESS',
  customVariables: 'CUSTOM_VARIABLES_ADDRESS',
  coupons: 'COUPONS_ADDRESS',
  checkout: 'CHECKOUT_ADDRESS',
  orders: 'ORDERS_ADDRESS',
  webhooks: 'WEBHOOKS_ADDRESS',
  search: 'SEARCH_ADDRESS',
} as const
