/** Description of each tag, in the order of the reference page. An endpoint can only use a tag from this list. */
export const tagDescriptions = {
  Store: 'What the store says about itself to shoppers, and its settings.',
  Customers: 'People who buy in the store, and the tokens and portal sessions that sign them in.',
  Bans: 'Bans by Steam, Minecraft, Xbox, email, IP address, name or customer id.',
  'Custom variables': 'Questions that buyers answer when they buy a product.',
  Coupons: 'Discount codes with redemption limits.',
  'Affiliate links': 'Codes that credit partners with the sales they refer.',
  Products: 'What the store sells.',
  Tags: 'Categories of products.',
  Checkouts: 'Priced orders that customers pay.',
  Orders: 'Paid checkout sessions and renewals, their refunds, timelines and emails.',
  Refunds: 'Money returned to the payers of orders.',
  'Game servers': 'The game servers of the store, and the tokens of their plugins.',
  'Game server interface': 'What the plugins of game servers call.',
  Delivery: 'What customers own, and the commands that deliver it.',
  Subscriptions: 'Subscription lines of paid checkout sessions, which renew period by period.',
  Payments: 'Payments of checkout sessions, and how the store is paid.',
  Webhooks: 'Endpoints that receive the events of a store, and what was delivered to them.',
  'Webhook events': 'The requests that webhook endpoints receive.',
  Dashboard: 'Search over all records of a store.',
  Storefront: 'Endpoints for browsers: the store, sign-in, and the signed-in customer.',
} as const

export type Tag = keyof typeof tagDescriptions
