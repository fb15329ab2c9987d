import { isFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import type { Order } from '@storekeep/proto/orders/v1/order'
import type { EmailFacts } from '../adapters/formats/email-facts.ts'
import type { PortalLink, Records } from '../adapters/records.ts'
import type { Email } from '../domain/email.ts'
import type { Outcome } from '../domain/next-step.ts'
import { isDisabled } from '../mappers.ts'

export type Loaded =
  | { facts: EmailFacts; found: Found }
  | { outcome: Extract<Outcome, { kind: 'suppressed' | 'postponed' }>; found: Found }

/** What was found out so far, to be stored with the email. */
export interface Found {
  orderId?: string
  address?: string
  locale?: string
}

/**
 * Reads what an email is written from, from the services that own it, as it is now. So an email that waits for days shows the current
 * state, and no event has to contain personal data.
 */
export async function loadFacts(records: Records, email: Email, call: CallOptions): Promise<Loaded> {
  const found: Found = {}
  try {
    const store = await records.store(call)
    if (isDisabled(email.kind, store.disabledEmails)) return suppressed('The store has disabled these emails.')
    const order = await orderOf(records, email, call)
    if (!order) return suppressed('The subscription has no order.')
    found.orderId = order.id
    const recipient = await recipientOf(records, email, order, call)
    if (!recipient) return suppressed('The customer has no email address.')
    Object.assign(found, recipient)
    const { subscriptionId } = email
    const [subscription, profiles] = await Promise.all([
      subscriptionId === null ? undefined : records.subscription(subscriptionId, call),
      records.profiles(mentioned(email, order), call),
    ])
    const names = new Map([...profiles].map(([id, { name }]) => [id, name]))
    const isClaimed = profiles.get(email.customerId)?.claimed ?? true
    const portalLink = isClaimed ? undefined : await portalLinkOf(records, email, call)
    return { facts: { email, store, order, subscription, names, ...recipient, portalLink }, found }
  } catch (error) {
    if (isFault(error, 'not-found')) return suppressed('The order, its subscription or its store no longer exists.')
    if (isFault(error, 'service-unavailable')) return { outcome: { kind: 'postponed' }, found }
    throw error
  }

  function suppressed(reason: string): Loaded {
    return { outcome: { kind: 'suppressed', reason }, found }
  }
}

async function orderOf(records: Records, email: Email, call: CallOptions): Promise<Order | undefined> {
  const { orderId, subscriptionId } = email
  if (orderId !== null) return await records.order(orderId, call)
  if (subscriptionId === null) return undefined
  return (await records.newestOrders({ subscriptionId }, 1, call))[0]
}

/**
 * The address and the language of the recipient. The recipient of a gift has given none with this order; their newest order in this
 * store may have both.
 */
async function recipientOf(records: Records, email: Email, order: Order, call: CallOptions) {
  const isGift = email.customerId !== order.customerId
  const orders = isGift ? await records.newestOrders({ customerId: email.customerId }, recentOrders, call) : [order]
  for (const { billingDetails, locale } of orders) {
    const address = billingDetails?.billingEmail?.trim()
    if (address === undefined || !isSafeAddress(address)) continue
    return { address, locale: locale ?? order.locale ?? 'en' }
  }
  return undefined
}

/** Only one address, and nothing that has a meaning in a header or in an SMTP command. */
function isSafeAddress(address: string): boolean {
  return parseEmailAddress(address) !== undefined && !/[<>()[\]\\,;:"\p{Cc}]/u.test(address)
}

function mentioned(email: Email, { customerId, lines }: Order): string[] {
  return [
    ...new Set([email.customerId, customerId, ...lines.flatMap(({ giftToCustomerId }) => giftToCustomerId ?? [])]),
  ]
}

/**
 * Every reader of the email can use the link. So the recipient of a gift, whose address was given with another order, gets no link, and
 * neither does a customer who is known only by a typed name: anyone could buy as that customer.
 */
async function portalLinkOf(records: Records, email: Email, call: CallOptions): Promise<PortalLink | undefined> {
  const { kind, customerId, subscriptionId } = email
  if (kind === 'gift_received') return undefined
  const updatesPaymentOf = kind === 'payment_failed' ? (subscriptionId ?? undefined) : undefined
  return await records.portalLink(customerId, updatesPaymentOf, call)
}

/** Among these is the newest address of a customer. */
const recentOrders = 10
