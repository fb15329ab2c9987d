import { BanCreatedSchema, BanDeletedSchema, BanUpdatedSchema } from '@storekeep/proto/bans/v1/events'
import {
  CheckoutSessionCanceledSchema,
  CheckoutSessionCompletedSchema,
  CheckoutSessionCreatedSchema,
  CheckoutSessionExpiredSchema,
  CheckoutSessionUpdatedSchema,
  ProductCreatedSchema,
  ProductDeletedSchema,
  ProductUpdatedSchema,
  TagCreatedSchema,
  TagDeletedSchema,
  TagUpdatedSchema,
} from '@storekeep/proto/checkout/v1/events'
import {
  AffiliateLinkCreatedSchema,
  AffiliateLinkDeletedSchema,
  AffiliateLinkUpdatedSchema,
  CouponCreatedSchema,
  CouponDeletedSchema,
  CouponUpdatedSchema,
} from '@storekeep/proto/coupons/v1/events'
import {
  CustomVariableCreatedSchema,
  CustomVariableDeletedSchema,
  CustomVariableUpdatedSchema,
} from '@storekeep/proto/custom_variables/v1/events'
import {
  CustomerCreatedSchema,
  CustomerDeletedSchema,
  CustomerTokensRevokedSchema,
  CustomerUpdatedSchema,
  PortalSessionCreatedSchema,
  StoreTokensRevokedSchema,
} from '@storekeep/proto/customers/v1/events'
import {
  CustomerJoinedSchema,
  DeliveryCommandExecutedSchema,
  DeliveryCommandReleasedSchema,
  DeliveryCommandStuckSchema,
  DeliveryItemActivatedSchema,
  DeliveryItemAddedSchema,
  DeliveryItemExpiredSchema,
  DeliveryItemRenewedSchema,
  DeliveryItemRevokedSchema,
  DeliveryItemUsedSchema,
  GameServerCreatedSchema,
  GameServerDeletedSchema,
  GameServerLinkedSchema,
  GameServerUpdatedSchema,
} from '@storekeep/proto/delivery/v1/events'
import { EmailBouncedSchema, EmailSentSchema } from '@storekeep/proto/emails/v1/events'
import {
  OrderChargedBackSchema,
  OrderCreatedSchema,
  OrderRefundedSchema,
  OrderUpdatedSchema,
  SubscriptionCanceledSchema,
  SubscriptionCreatedSchema,
  SubscriptionRenewedSchema,
  SubscriptionUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import type { Order } from '@storekeep/proto/orders/v1/order'
import {
  ApiKeyCreatedSchema,
  ApiKeyRevokedSchema,
  StoreCreatedSchema,
  StoreUpdatedSchema,
} from '@storekeep/proto/stores/v1/events'
import {
  WebhookEndpointCreatedSchema,
  WebhookEndpointDeletedSchema,
  WebhookEndpointDisabledSchema,
  WebhookEndpointUpdatedSchema,
} from '@storekeep/proto/webhooks/v1/events'
import { z } from 'zod'
import {
  affiliateLinkDto,
  affiliateLinkDtoSchema,
  affiliateLinkExample,
} from '../affiliate-links/affiliate-link-dto.ts'
import { banDto, banDtoSchema, banExample } from '../bans/ban-dto.ts'
import {
  checkoutSessionDto,
  checkoutSessionDtoSchema,
  checkoutSessionExample,
} from '../checkouts/checkout-session-dto.ts'
import { couponDto, couponDtoSchema, couponExample } from '../coupons/coupon-dto.ts'
import {
  customVariableDto,
  customVariableDtoSchema,
  customVariableExample,
} from '../custom-variables/custom-variable-dto.ts'
import { customerDto, customerDtoSchema, customerExample } from '../customers/customer-dto.ts'
import {
  portalSessionDto,
  portalSessionRecordExample,
  portalSessionRecordSchema,
} from '../customers/portal-session-dto.ts'
import { commandAttemptDto, commandAttemptDtoSchema, commandAttemptExample } from '../delivery/command-attempt-dto.ts'
import { deliveryItemDto, deliveryItemDtoSchema, deliveryItemEventExample } from '../delivery/delivery-item-dto.ts'
import { gameServerDto, gameServerDtoSchema, gameServerExample } from '../delivery/game-server-dto.ts'
import { playerJoinDto, playerJoinExample, playerJoinSchema } from '../delivery/player-join-dto.ts'
import { emailDto, emailDtoSchema, emailExample } from '../emails/email-dto.ts'
import { type OrderDto, orderDto, orderDtoSchema, orderExample } from '../orders/order-dto.ts'
import { refundDto, refundDtoSchema, refundExample } from '../orders/refund-dto.ts'
import { productDto, productDtoSchema, productExample } from '../products/product-dto.ts'
import { actorExample } from '../schemas/actor.ts'
import { flakeId } from '../schemas/fields.ts'
import { storeSettingsDto, storeSettingsDtoSchema, storeSettingsExample } from '../stores/store-settings-dto.ts'
import { subscriptionDto, subscriptionDtoSchema, subscriptionExample } from '../subscriptions/subscription-dto.ts'
import { tagDto, tagDtoSchema, tagExample } from '../tags/tag-dto.ts'
import {
  webhookEndpointDto,
  webhookEndpointDtoSchema,
  webhookEndpointExample,
} from '../webhooks/webhook-endpoint-dto.ts'
import { defineEvent, defineRecordEvents, recordWith } from './define-event.ts'

/** Orders on the bus contain no billing details, and neither do events about them. */
const withoutDetails = '`billing_details` is always null here; get the order to read them.'
const eventOrder = (order: Order | undefined): OrderDto => ({ ...orderDto(order), billing_details: null })

/** Emails on the bus contain no address, and neither do events about them. */
const withoutAddress =
  '`recipient` and `failure_reason` are always null here; list the emails of the order to read them.'
const emailEventExample = { ...emailExample, recipient: null }

const customer = { schema: customerDtoSchema, example: customerExample }
const session = { schema: checkoutSessionDtoSchema, example: checkoutSessionExample }
const order = { schema: orderDtoSchema, example: { ...orderExample, billing_details: null } }
const item = { schema: deliveryItemDtoSchema, example: deliveryItemEventExample }
const removed = { removed_at: '2026-12-20T14:35:18.000Z' }
const subscription = { schema: subscriptionDtoSchema, example: subscriptionExample }

/**
 * Every event type that webhook endpoints can subscribe to. The OpenAPI document, the accepted values of `event_types`
 * and the payloads are derived from this list. A test compares it with the messages of all `events.proto` files.
 */
export const catalog = [
  defineEvent('customer.created', CustomerCreatedSchema, {
    ...customer,
    description: 'A customer was created.',
    data: (message) => customerDto(message.customer),
  }),
  defineEvent('customer.updated', CustomerUpdatedSchema, {
    ...customer,
    description: 'A customer was changed, or their profile was looked up.',
    data: (message) => customerDto(message.customer),
  }),
  defineEvent('customer.deleted', CustomerDeletedSchema, {
    ...customer,
    description:
      'A customer that was created by typing a name (`profile.claimed`) was removed, because it had not signed in or been used for 30 days.',
    data: (message) => customerDto(message.customer),
  }),
  defineEvent('customer.tokens_revoked', CustomerTokensRevokedSchema, {
    ...customer,
    description: 'All tokens of a customer were revoked.',
    data: (message) => customerDto(message.customer),
  }),
  defineEvent('store_tokens.revoked', StoreTokensRevokedSchema, {
    description: 'The tokens of all customers of the store were revoked.',
    schema: z
      .object({ store_id: flakeId.describe('Id of the store.') })
      .meta({ id: 'StoreTokensDto', description: 'The tokens of all customers of a store.' }),
    example: { store_id: customerExample.store_id },
    data: (_, storeId) => ({ store_id: storeId }),
  }),
  defineEvent('portal_session.created', PortalSessionCreatedSchema, {
    description: 'A customer portal session was created. The event contains neither its token nor its URL.',
    schema: portalSessionRecordSchema,
    example: portalSessionRecordExample,
    data: (message) => portalSessionDto(message.portalSession),
  }),
  ...defineRecordEvents('ban', {
    noun: 'A ban',
    messages: [BanCreatedSchema, BanUpdatedSchema, BanDeletedSchema],
    schema: banDtoSchema,
    example: banExample,
    data: (message) => banDto(message.ban),
  }),
  ...defineRecordEvents('custom_variable', {
    noun: 'A custom variable',
    messages: [CustomVariableCreatedSchema, CustomVariableUpdatedSchema, CustomVariableDeletedSchema],
    schema: customVariableDtoSchema,
    example: customVariableExample,
    data: (message) => customVariableDto(message.customVariable),
  }),
  ...defineRecordEvents('coupon', {
    noun: 'A coupon',
    messages: [CouponCreatedSchema, CouponUpdatedSchema, CouponDeletedSchema],
    schema: couponDtoSchema,
    example: couponExample,
    data: (message) => couponDto(message.coupon),
  }),
  ...defineRecordEvents('affiliate_link', {
    noun: 'An affiliate link',
    messages: [AffiliateLinkCreatedSchema, AffiliateLinkUpdatedSchema, AffiliateLinkDeletedSchema],
    schema: affiliateLinkDtoSchema,
    example: affiliateLinkExample,
    data: (message) => affiliateLinkDto(message.affiliateLink),
  }),
  ...defineRecordEvents('product', {
    noun: 'A product',
    messages: [ProductCreatedSchema, ProductUpdatedSchema, ProductDeletedSchema],
    schema: productDtoSchema,
    example: productExample,
    data: (message) => productDto(message.product),
  }),
  ...defineRecordEvents('tag', {
    noun: 'A tag',
    messages: [TagCreatedSchema, TagUpdatedSchema, TagDeletedSchema],
    schema: tagDtoSchema,
    example: tagExample,
    data: (message) => tagDto(message.tag),
  }),
  defineEvent('checkout_session.created', CheckoutSessionCreatedSchema, {
    ...session,
    description: 'A checkout session was created.',
    data: (message) => checkoutSessionDto(message.session),
  }),
  defineEvent('checkout_session.updated', CheckoutSessionUpdatedSchema, {
    ...session,
    description: 'The billing details of a checkout session were changed, or the session was extended.',
    data: (message) => checkoutSessionDto(message.session),
  }),
  defineEvent('checkout_session.completed', CheckoutSessionCompletedSchema, {
    ...session,
    description: 'A checkout session was paid.',
    example: {
      ...checkoutSessionExample,
      status: 'completed',
      completed_at: '2026-11-20T14:40:02.000Z',
      order_id: orderExample.id,
    },
    data: (message) => checkoutSessionDto(message.session),
  }),
  defineEvent('checkout_session.canceled', CheckoutSessionCanceledSchema, {
    ...session,
    description: 'A checkout session was canceled.',
    example: { ...checkoutSessionExample, status: 'canceled', canceled_at: '2026-11-20T14:40:02.000Z' },
    data: (message) => checkoutSessionDto(message.session),
  }),
  defineEvent('checkout_session.expired', CheckoutSessionExpiredSchema, {
    ...session,
    description: 'A checkout session expired before it was paid.',
    example: { ...checkoutSessionExample, status: 'expired' },
    data: (message) => checkoutSessionDto(message.session),
  }),
  defineEvent('order.created', OrderCreatedSchema, {
    ...order,
    description: `A checkout session was paid, or a subscription renewed. ${withoutDetails}`,
    data: (message) => eventOrder(message.order),
  }),
  defineEvent('order.refunded', OrderRefundedSchema, {
    description: `A refund succeeded. ${withoutDetails}`,
    schema: recordWith(
      'order.refunded',
      orderDtoSchema,
      { refund: refundDtoSchema.describe('The refund.') },
      'An order with the refund that succeeded.',
    ),
    example: { ...order.example, status: 'partially_refunded', refunded_amount: 989, refund: refundExample },
    data: (message) => ({ ...eventOrder(message.order), refund: refundDto(message.refund) }),
  }),
  defineEvent('order.charged_back', OrderChargedBackSchema, {
    ...order,
    description: `The payer disputed the payment of an order. ${withoutDetails}`,
    example: { ...order.example, status: 'charged_back' },
    data: (message) => eventOrder(message.order),
  }),
  defineEvent('order.updated', OrderUpdatedSchema, {
    ...order,
    description: `A dispute was won, or a refund failed after it had succeeded. ${withoutDetails}`,
    data: (message) => eventOrder(message.order),
  }),
  defineEvent('subscription.created', SubscriptionCreatedSchema, {
    ...subscription,
    description: 'A subscription started.',
    data: (message) => subscriptionDto(message.subscription),
  }),
  defineEvent('subscription.renewed', SubscriptionRenewedSchema, {
    description: 'Another period of a subscription was paid.',
    schema: recordWith(
      'subscription.renewed',
      subscriptionDtoSchema,
      { order_id: flakeId.describe('The order of the period.') },
      'A subscription with the order that renewed it.',
    ),
    example: { ...subscriptionExample, order_id: orderExample.id },
    data: (message) => ({ ...subscriptionDto(message.subscription), order_id: message.orderId }),
  }),
  defineEvent('subscription.updated', SubscriptionUpdatedSchema, {
    ...subscription,
    description: 'The period of a subscription, or whether it renews, changed; or a renewal payment failed.',
    data: (message) => subscriptionDto(message.subscription),
  }),
  defineEvent('subscription.canceled', SubscriptionCanceledSchema, {
    ...subscription,
    description: 'A subscription ended.',
    data: (message) => subscriptionDto(message.subscription),
  }),
  defineEvent('delivery_item.added', DeliveryItemAddedSchema, {
    ...item,
    description: 'A customer got an item: an order was paid, a subscription renewed, or staff handed the item out.',
    example: { ...item.example, state: 'usable', active_at: null, expires_at: null },
    data: (message) => deliveryItemDto(message.item),
  }),
  defineEvent('delivery_item.activated', DeliveryItemActivatedSchema, {
    ...item,
    description: 'The first command of an item was executed, or the item has no commands.',
    data: (message) => deliveryItemDto(message.item),
  }),
  defineEvent('delivery_item.expired', DeliveryItemExpiredSchema, {
    ...item,
    description: 'The time of an item is over.',
    example: { ...item.example, ...removed, state: 'used' },
    data: (message) => deliveryItemDto(message.item),
  }),
  defineEvent('delivery_item.used', DeliveryItemUsedSchema, {
    ...item,
    description: 'An item no longer counts as owned, because it has expired.',
    example: { ...item.example, ...removed, state: 'used' },
    data: (message) => deliveryItemDto(message.item),
  }),
  defineEvent('delivery_item.renewed', DeliveryItemRenewedSchema, {
    ...item,
    description: 'A renewal has replaced an item.',
    example: { ...item.example, ...removed, state: 'renewed' },
    data: (message) => deliveryItemDto(message.item),
  }),
  defineEvent('delivery_item.revoked', DeliveryItemRevokedSchema, {
    ...item,
    description: 'An item was revoked by a refund, a chargeback or staff.',
    example: {
      ...item.example,
      ...removed,
      state: 'revoked',
      revoked_at: removed.removed_at,
      revoke_reason: 'manual',
      revoked_by: actorExample,
    },
    data: (message) => deliveryItemDto(message.item),
  }),
  defineEvent('delivery_command.executed', DeliveryCommandExecutedSchema, {
    description: 'A game server reported a command as executed.',
    schema: commandAttemptDtoSchema,
    example: commandAttemptExample,
    data: (message) => commandAttemptDto(message.attempt),
  }),
  defineEvent('delivery_command.released', DeliveryCommandReleasedSchema, {
    description:
      'Staff gave values for the missing placeholders of a blocked command, which now waits for its game server.',
    schema: commandAttemptDtoSchema,
    example: {
      ...commandAttemptExample,
      executed_at: null,
      executed_by_ip: null,
      state: 'pending',
      given_out_count: 0,
    },
    data: (message) => commandAttemptDto(message.attempt),
  }),
  defineEvent('delivery_command.stuck', DeliveryCommandStuckSchema, {
    description:
      'A game server fetched a command again and again, but never reported it as executed. It is no longer sent. Unqueue it, or ' +
      'resend it once the server works.',
    schema: commandAttemptDtoSchema,
    example: {
      ...commandAttemptExample,
      executed_at: null,
      executed_by_ip: null,
      state: 'pending',
      given_out_count: 20,
      stuck_at: '2026-11-20T14:45:17.000Z',
    },
    data: (message) => commandAttemptDto(message.attempt),
  }),
  defineEvent('email.sent', EmailSentSchema, {
    description: `The mail server accepted an email to a customer. ${withoutAddress}`,
    schema: emailDtoSchema,
    example: emailEventExample,
    data: (message) => emailDto(message.email),
  }),
  defineEvent('email.bounced', EmailBouncedSchema, {
    description: `The mail server rejected an email for good, for example because the address does not exist. ${withoutAddress}`,
    schema: emailDtoSchema,
    example: { ...emailEventExample, status: 'bounced' },
    data: (message) => emailDto(message.email),
  }),
  ...defineRecordEvents('game_server', {
    noun: 'A game server',
    messages: [GameServerCreatedSchema, GameServerUpdatedSchema, GameServerDeletedSchema],
    schema: gameServerDtoSchema,
    example: gameServerExample,
    data: (message) => gameServerDto(message.gameServer),
  }),
  defineEvent('game_server.linked', GameServerLinkedSchema, {
    description: 'A plugin has connected from another address or with another version.',
    schema: gameServerDtoSchema,
    example: gameServerExample,
    data: (message) => gameServerDto(message.gameServer),
  }),
  defineEvent('customer.joined', CustomerJoinedSchema, {
    description: 'A customer joined a game server whose plugin reports joins.',
    schema: playerJoinSchema,
    example: playerJoinExample,
    data: (message, storeId) => playerJoinDto(message, storeId),
  }),
  defineEvent('store.updated', StoreUpdatedSchema, {
    description: 'The store was changed.',
    schema: storeSettingsDtoSchema,
    example: storeSettingsExample,
    data: (message) => storeSettingsDto(message.store),
  }),
  ...defineRecordEvents('webhook_endpoint', {
    noun: 'A webhook endpoint',
    messages: [WebhookEndpointCreatedSchema, WebhookEndpointUpdatedSchema, WebhookEndpointDeletedSchema],
    schema: webhookEndpointDtoSchema,
    example: webhookEndpointExample,
    data: (message) => webhookEndpointDto(message.webhookEndpoint),
  }),
  defineEvent('webhook_endpoint.disabled', WebhookEndpointDisabledSchema, {
    description: 'Storekeep disabled a webhook endpoint. The other endpoints of the store receive this event.',
    schema: webhookEndpointDtoSchema,
    example: {
      ...webhookEndpointExample,
      enabled: false,
      disabled_reason: 'failing',
      failing_since: '2026-11-15T14:35:17.000Z',
    },
    data: (message) => webhookEndpointDto(message.webhookEndpoint),
  }),
] as const

/** Messages on the bus that no endpoint receives, with the reason. */
export const undelivered: ReadonlyMap<string, string> = new Map([
  [StoreCreatedSchema.typeName, 'A store without endpoints: none can exist before it.'],
  [ApiKeyCreatedSchema.typeName, 'API keys are managed by the operator and are not part of the API.'],
  [ApiKeyRevokedSchema.typeName, 'API keys are managed by the operator and are not part of the API.'],
])
