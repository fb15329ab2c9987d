import { type EventHandler, onEvent } from '@storekeep/common/events'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import { BanCreatedSchema, BanUpdatedSchema } from '@storekeep/proto/bans/v1/events'
import { CheckoutSessionCreatedSchema } from '@storekeep/proto/checkout/v1/events'
import { markReferenced } from '../db/claimed-customer-repository.ts'

/** Keeps the buyer and the gift recipients of a checkout session. Orders and subscriptions follow from sessions. */
export function onCheckoutSessionCreated(): EventHandler {
  return onEvent(CheckoutSessionCreatedSchema, async (tx, { storeId, message: { session } }) => {
    if (storeId === undefined || !session) return
    const recipients = session.lines.flatMap(({ giftToCustomerId }) => giftToCustomerId ?? [])
    await markReferenced(tx, storeId, [...new Set([session.customerId, ...recipients])])
  })
}

/** Keeps banned customers: without the customer, the ban would no longer apply. */
export function onBanChanged(): EventHandler {
  return onEvent([BanCreatedSchema, BanUpdatedSchema], async (tx, { storeId, message: { ban } }) => {
    const banned = (ban?.identities ?? []).filter(({ banType }) => banType === BanType.CUSTOMER)
    if (storeId === undefined || banned.length === 0) return
    await markReferenced(
      tx,
      storeId,
      banned.map(({ banTypeValue }) => banTypeValue),
    )
  })
}
