import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { getDelivery } from './get-delivery.ts'
import { listDeliveries } from './list-deliveries.ts'
import { pingWebhookEndpoint } from './ping-webhook-endpoint.ts'
import { resendDeliveries } from './resend-deliveries.ts'
import { resendDelivery } from './resend-delivery.ts'

export function createDeliveryHandlers(ctx: AppContext): DeliveriesHandlers {
  return {
    pingWebhookEndpoint: pingWebhookEndpoint(ctx),
    listDeliveries: listDeliveries(ctx),
    getDelivery: getDelivery(ctx),
    resendDelivery: resendDelivery(ctx),
    resendDeliveries: resendDeliveries(ctx),
  }
}
