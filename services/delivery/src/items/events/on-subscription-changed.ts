import { isDeepStrictEqual } from 'node:util'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { type EventHandler, onEvent } from '@storekeep/common/events'
import {
  SubscriptionCanceledSchema,
  SubscriptionCreatedSchema,
  SubscriptionRenewedSchema,
  SubscriptionUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import { SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { lockItemsOfSubscription, updateItem } from '../db/item-repository.ts'
import { lockSubscription, updateSubscription } from '../db/subscription-repository.ts'
import { expiryOf } from '../domain/expiry.ts'
import { isOwned } from '../domain/item.ts'

/** Stores when the paid period of a subscription ends, and lets its items expire then unless another period is expected. */
export function onSubscriptionChanged(): EventHandler {
  const schemas = [
    SubscriptionCreatedSchema,
    SubscriptionRenewedSchema,
    SubscriptionUpdatedSchema,
    SubscriptionCanceledSchema,
  ]
  return onEvent(schemas, async (tx, { storeId, aggregateId: id, message: { subscription } }) => {
    if (storeId === undefined || !subscription) return
    const { currentPeriodEnd: end, status, cancelAtPeriodEnd, version } = subscription
    const renews = status === SubscriptionStatus.ACTIVE && !cancelAtPeriodEnd
    const state = { periodEnd: end ? timestampDate(end) : null, renews }
    await lockSubscription(tx, { storeId, id })
    await updateSubscription(tx, { storeId, id }, state, String(version))
    for (const item of (await lockItemsOfSubscription(tx, storeId, id)).filter(isOwned)) {
      const { expirable, expiresAt, expiryDueAt } = item
      const expiry = expiryOf(item, undefined, state)
      // No event reports a new expiry, so the version stays.
      if (!isDeepStrictEqual(expiry, { expirable, expiresAt, expiryDueAt })) await updateItem(tx, item, expiry, 0)
    }
  })
}
