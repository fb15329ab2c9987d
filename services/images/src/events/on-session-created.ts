import { type EventHandler, onEvent } from '@storekeep/common/events'
import { CheckoutSessionCreatedSchema } from '@storekeep/proto/checkout/v1/events'
import type { AppContext } from '../context.ts'
import { nameSessionImages } from '../steps/name-images.ts'

/** Lines can have images that no product of the store names, and keep the image that their product had. */
export function onSessionCreated(ctx: AppContext): EventHandler {
  return onEvent(CheckoutSessionCreatedSchema, async (tx, { storeId, message: { session } }) => {
    if (storeId === undefined || !session) return
    const urls = session.lines.map(({ imageUrl }) => imageUrl)
    await nameSessionImages(ctx, tx, storeId, urls)
  })
}
