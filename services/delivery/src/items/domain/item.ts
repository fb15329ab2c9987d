import type { DeliveryTerms } from '../../copies/domain/delivery-terms.ts'
import type { ProductVersion } from '../../copies/domain/product-version.ts'
import type { Stage } from '../../domain/stage.ts'

/** Contract "Delivery", items and attempts. */
export const itemStates = ['usable', 'active', 'used', 'revoked', 'renewed'] as const
export type ItemState = (typeof itemStates)[number]

export type RevokeReason = 'refund' | 'chargeback' | 'manual'

/** One unit of a product that a customer owns or owned. Ids are decimal strings; null means there is none. */
export interface Item {
  id: string
  storeId: string
  customerId: string
  /** Who bought it. */
  orderCustomerId: string | null
  checkoutId: string | null
  orderId: string | null
  /** Position of the line in the order, starting at 1. */
  orderLine: number | null
  /** Position of the unit in its line, starting at 0. */
  quantityIndex: number
  subscriptionId: string | null
  /** Position among the subscription lines of the order, starting at 1: the same in every renewal. */
  subscriptionLine: number | null
  /** The period of the subscription that the order paid. */
  periodStart: Date | null
  periodEnd: Date | null
  /** The server that the buyer or the staff chose. */
  executeOnGameserverId: string | null
  /** Null for an inline product, like the id of the version. */
  productId: string | null
  productVersionId: string | null
  productName: string
  productSlug: string | null
  /** Null unless the product is inline. */
  inlineTerms: DeliveryTerms | null
  orderFacts: OrderFacts | null
  /** The buyer's answers by identifier. */
  customVariables: Readonly<Record<string, string>>
  gift: boolean
  state: ItemState
  skipCommands: boolean
  /** The stages whose commands are not queued yet, because the version of the product or a game server is not known yet. */
  unplannedStages: Stage[]
  /** When queueing them is tried again. */
  planAt: Date | null
  /** See `actorText`. Null if an order added it. */
  addedBy: string | null
  addedAt: Date
  activeAt: Date | null
  expirable: boolean
  expiresAt: Date | null
  /** When the sweep lets it expire: later than `expiresAt` while its subscription is expected to renew. */
  expiryDueAt: Date | null
  overrideExpiresAt: Date | null
  removedAt: Date | null
  revokedAt: Date | null
  revokeReason: RevokeReason | null
  revokedBy: string | null
  version: string
}

/** An item to insert. */
export type NewItem = Omit<Item, 'id' | keyof typeof initialState>

/** The fields of an item to which nothing has happened yet. */
export const initialState = {
  state: 'usable',
  unplannedStages: [],
  planAt: null,
  activeAt: null,
  expirable: false,
  expiresAt: null,
  expiryDueAt: null,
  removedAt: null,
  revokedAt: null,
  revokeReason: null,
  revokedBy: null,
  version: '1',
} as const satisfies Partial<Item>

/** The fields of an item that no subscription pays for. */
export const withoutSubscription = { subscriptionId: null, subscriptionLine: null, periodStart: null, periodEnd: null }

/** The fields of an item that come from the version of its product. */
export function productOf(
  version: ProductVersion,
): Pick<Item, 'productId' | 'productVersionId' | 'productName' | 'productSlug'> {
  const { productId, id: productVersionId, name: productName, slug: productSlug } = version
  return { productId, productVersionId, productName, productSlug }
}

/** What placeholders say about an order and a line. */
export interface OrderFacts {
  number: string
  /** ISO 4217, lower-case. */
  currency: string
  quantity: number
  /** The price of a unit in major units: "9.99". */
  price: string
}

/** Whether the customer owns the item. */
export function isOwned({ state }: Pick<Item, 'state'>): boolean {
  return state === 'usable' || state === 'active'
}
