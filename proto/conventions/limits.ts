/**
 * Limits of field lengths, list sizes and ranges. The owning service enforces them; the gateway checks the same values
 * early and publishes them in the OpenAPI document. Lengths are in characters (Unicode code points).
 */

export const metadataLimits = { keys: 50, keyLength: 64, valueLength: 500 } as const

export const webAddressLength = 2048

/** `rate`: hundredths of a percent. */
export const storeLimits = {
  nameLength: 128,
  descriptionLength: 2000,
  sellerNameLength: 200,
  addressLength: 500,
  taxIdLength: 64,
  registerLength: 200,
  timeZoneLength: 64,
  taxRegistrations: 100,
  taxRate: 10_000,
  taxNameLength: 32,
} as const

export const pageLimits = { max: 100, default: 50 } as const

/** Live keys, that is, keys that are neither revoked nor expired. */
export const apiKeyLimits = { livePerStore: 2 } as const

export const customerLimits = {
  nameLength: 128,
  perBulkRequest: 200,
  searchLength: 256,
  idsPerFilter: 100,
  idsPerBatch: 100,
} as const

export const portalSessionLimits = { minSeconds: 60, defaultSeconds: 3600, maxSeconds: 7 * 24 * 3600 } as const

export const banLimits = { identities: 100, reasonLength: 1000 } as const

/** `percent`: 100% in per mille. */
export const couponLimits = { codeLength: 64, noteLength: 1000, idsPerScope: 1000, percent: 1000 } as const

export const affiliateLinkLimits = {
  perStore: 1000,
  codeLength: 64,
  walletIdLength: 255,
  trackingDays: 3650,
  commissionSteps: 25,
} as const

export const customVariableLimits = {
  perStore: 500,
  optionsPerStore: 4000,
  options: 100,
  nameLength: 128,
  descriptionLength: 1000,
  patternLength: 512,
  optionLength: 128,
  answerLength: 1024,
} as const

/** `price` is in minor units, as is the price of a custom-variable option. */
export const productLimits = {
  nameLength: 128,
  slugLength: 64,
  descriptionLength: 10_000,
  labelLength: 128,
  price: 1_000_000_000_000,
  tags: 100,
  customVariables: 50,
  // Three years is the longest interval of Stripe (https://docs.stripe.com/api/prices/create).
  interval: { day: 365, week: 156, month: 36, year: 3 },
  gameServers: 100,
  commands: 50,
  commandLength: 2000,
  commandDelaySeconds: 86_400,
  // The slots of the largest chest of Minecraft.
  commandSlots: 54,
  /** Of the time after which items are removed, and of the window of a stock limit. */
  timeValue: 10_000,
  stock: 1_000_000_000,
  requiredProducts: 50,
  sortOrder: 1_000_000,
  /** Of the text that the storefront searches for. */
  searchLength: 200,
} as const

export const tagLimits = { perStore: 200, nameLength: 128 } as const

/** `share`: the whole of a payout split, in basis points. */
export const checkoutLimits = {
  lines: 100,
  quantity: 1000,
  promoCodes: 10,
  giftIdLength: 128,
  answersPerLine: 50,
  billingLength: 256,
  payoutSplits: 100,
  payoutIdLength: 64,
  share: 10_000,
} as const

/** `facetCount`: facets are exact up to this number of hits per type. */
export const searchLimits = {
  queryLength: 200,
  queryWords: 20,
  hintLength: 320,
  facetCount: 10_000,
  checkedEntries: 2000,
} as const

export const refundLimits = {
  reasonLength: 1000,
  /** The timeline of an order is one response, and every refund reads the earlier ones. Failed refunds count, too. */
  perOrder: 500,
} as const

export const paymentSettingsLimits = { instructionsLength: 5000, secretLength: 512 } as const

/** `linkTextLength`: longer texts of plugins are cut. */
export const gameServerLimits = { perStore: 100, nameLength: 128, linkTextLength: 255 } as const

/**
 * `players`: per list of a poll. `acknowledged`, `joins`: per call of the delivery service. `quantity`: units of one grant; `items`:
 * units of all grants of a request.
 */
export const deliveryLimits = {
  commandLength: 2000,
  serversPerCommand: 100,
  globalCommands: 50,
  commandsPerPoll: 100,
  players: 2000,
  acknowledged: 1000,
  joins: 1000,
  waitSeconds: 30,
  grants: 100,
  quantity: 100,
  items: 1000,
  unqueued: 1000,
  placeholders: 100,
} as const

/** `secrets`: signing secrets of an endpoint that are valid at the same time. */
export const webhookEndpointLimits = {
  perStore: 50,
  descriptionLength: 1000,
  eventTypes: 100,
  headers: 20,
  headerNameLength: 64,
  headerValueLength: 1024,
  secrets: 5,
  overlapSeconds: { default: 24 * 3600, max: 7 * 24 * 3600 },
} as const

/** True if the text has `min` to `max` code points. Does not count the code points of texts that are far too long. */
export function hasLength(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false
  let count = 0
  for (const _character of text) count += 1
  return count >= min && count <= max
}
