// Generated from the gateway's OpenAPI document by `npm run codegen`. Do not edit.

import type { components } from './openapi.ts'

/** The body of a webhook request. `type` determines the type of `data`. */
export type WebhookEvent = components['schemas']['WebhookEvent']

/** A test event for one endpoint. */
export type PingEvent = components['schemas']['PingEvent']

/** Snowflake id: a decimal number from 1 to 9223372036854775807, always a JSON string. */
export type FlakeId = components['schemas']['FlakeId']

/** A test of a webhook endpoint. */
export type Ping = components['schemas']['PingDto']

/** A customer was created. */
export type CustomerCreatedEvent = components['schemas']['CustomerCreatedEvent']

/** Platform of a profile; `service` for a customer without an account that has been looked up. */
export type CustomerProfilePlatform = components['schemas']['CustomerProfilePlatformDto']

/** How to show a customer. */
export type CustomerProfile = components['schemas']['CustomerProfileDto']

/** An account on Steam or Minecraft. */
export type PlatformAccount = components['schemas']['PlatformAccountDto']

/** Edition of a Minecraft account. */
export type MinecraftPlatform = components['schemas']['MinecraftPlatformDto']

/** A person who buys in the store, known by at least one identity. */
export type Customer = components['schemas']['CustomerDto']

/** A customer was changed, or their profile was looked up. */
export type CustomerUpdatedEvent = components['schemas']['CustomerUpdatedEvent']

/** All tokens of a customer were revoked. */
export type CustomerTokensRevokedEvent = components['schemas']['CustomerTokensRevokedEvent']

/** The tokens of all customers of the store were revoked. */
export type StoreTokensRevokedEvent = components['schemas']['StoreTokensRevokedEvent']

/** The tokens of all customers of a store. */
export type StoreTokens = components['schemas']['StoreTokensDto']

/** A customer portal session was created. The event contains neither its token nor its URL. */
export type PortalSessionCreatedEvent = components['schemas']['PortalSessionCreatedEvent']

/** The page of the portal that a session opens. */
export type PortalFlow = components['schemas']['PortalFlowDto']

/** The subscription that a page of the portal is about. */
export type PortalFlowSubscription = components['schemas']['PortalFlowSubscriptionDto']

/** A customer portal session, without its token and URL. */
export type CustomerPortalSessionRecord = components['schemas']['CustomerPortalSessionRecordDto']

/** A ban was created. */
export type BanCreatedEvent = components['schemas']['BanCreatedEvent']

/** One identity of a customer. */
export type BanIdentity = components['schemas']['BanIdentityDto']

/** Kind of identity. No ban has the type `unknown`, and requests with it are refused. */
export type BanType = components['schemas']['BanType']

/** Kind of actor. */
export type ActorType = components['schemas']['ActorTypeDto']

/** Who created or changed a record. */
export type Actor = components['schemas']['ActorDto']

/** A ban, which prevents customers with any of its identities from checking out. */
export type Ban = components['schemas']['BanDto']

/** A ban was changed. */
export type BanUpdatedEvent = components['schemas']['BanUpdatedEvent']

/** A ban was deleted. `data` is its last state. */
export type BanDeletedEvent = components['schemas']['BanDeletedEvent']

/** A ban that was deleted, in its last state. */
export type BanDeletedEventData = components['schemas']['BanDeletedEventData']

/** A custom variable was created. */
export type CustomVariableCreatedEvent = components['schemas']['CustomVariableCreatedEvent']

/** Type of the answer: the value of an option, a text of 1 to 1024 characters, or a decimal number. */
export type CustomVariableType = components['schemas']['CustomVariableType']

/** One option of a dropdown. */
export type CustomVariableOption = components['schemas']['CustomVariableOptionDto']

/** `fixed`: `price` is in the smallest unit of the currency; `percentage`: in permille of the product price. */
export type PriceType = components['schemas']['PriceType']

/** A question that buyers answer when they buy a product. */
export type CustomVariable = components['schemas']['CustomVariableDto']

/** A custom variable was changed. */
export type CustomVariableUpdatedEvent = components['schemas']['CustomVariableUpdatedEvent']

/** A custom variable was deleted. `data` is its last state. */
export type CustomVariableDeletedEvent = components['schemas']['CustomVariableDeletedEvent']

/** A custom variable that was deleted, in its last state. */
export type CustomVariableDeletedEventData = components['schemas']['CustomVariableDeletedEventData']

/** A coupon was created. */
export type CouponCreatedEvent = components['schemas']['CouponCreatedEvent']

/** How long a discount applies to a subscription: `once`, `forever`, or for a number of months or intervals. */
export type CouponDuration = components['schemas']['CouponDurationDto']

/** `percent` or `amount`. No coupon has the type `unspecified`, and requests with it are refused. */
export type CouponDiscountType = components['schemas']['CouponDiscountTypeDto']

/** A discount that buyers redeem with a code. */
export type Coupon = components['schemas']['CouponDto']

/** A coupon was changed. */
export type CouponUpdatedEvent = components['schemas']['CouponUpdatedEvent']

/** A coupon was deleted. `data` is its last state. */
export type CouponDeletedEvent = components['schemas']['CouponDeletedEvent']

/** A coupon that was deleted, in its last state. */
export type CouponDeletedEventData = components['schemas']['CouponDeletedEventData']

/** An affiliate link was created. */
export type AffiliateLinkCreatedEvent = components['schemas']['AffiliateLinkCreatedEvent']

/** `first_referer` or `last_referer`. No link has the type `invalid`, and requests with it are refused. */
export type RefererType = components['schemas']['RefererTypeDto']

/** Whether an amount is in minor units (`fixed`), in permille (`percentage`), or not used (`none`). */
export type AffiliateAmountType = components['schemas']['AffiliateAmountTypeDto']

/** Commission for one billing cycle of a subscription. */
export type CommissionAmountStep = components['schemas']['CommissionAmountStepDto']

/** A code that credits a partner with the sales it brings in. */
export type AffiliateLink = components['schemas']['AffiliateLinkDto']

/** An affiliate link was changed. */
export type AffiliateLinkUpdatedEvent = components['schemas']['AffiliateLinkUpdatedEvent']

/** An affiliate link was deleted. `data` is its last state. */
export type AffiliateLinkDeletedEvent = components['schemas']['AffiliateLinkDeletedEvent']

/** An affiliate link that was deleted, in its last state. */
export type AffiliateLinkDeletedEventData = components['schemas']['AffiliateLinkDeletedEventData']

/** A product was created. */
export type ProductCreatedEvent = components['schemas']['ProductCreatedEvent']

/** Unit of the length of a billing interval. */
export type SubscriptionIntervalScale = components['schemas']['SubscriptionIntervalScaleDto']

/** A product of the store. */
export type Product = components['schemas']['ProductDto']

/** A product was changed. */
export type ProductUpdatedEvent = components['schemas']['ProductUpdatedEvent']

/** A product was deleted. `data` is its last state. */
export type ProductDeletedEvent = components['schemas']['ProductDeletedEvent']

/** A product that was deleted, in its last state. */
export type ProductDeletedEventData = components['schemas']['ProductDeletedEventData']

/** A checkout session was created. */
export type CheckoutSessionCreatedEvent = components['schemas']['CheckoutSessionCreatedEvent']

/** `open` until the session is paid, cancelled, or expired after 24 hours. */
export type CheckoutSessionStatus = components['schemas']['CheckoutSessionStatusDto']

/** One line of a checkout session, with its price. */
export type CheckoutSessionLine = components['schemas']['CheckoutSessionLineDto']

/** Share of one payout account. */
export type PayoutSplit = components['schemas']['PayoutSplitDto']

/** How the subscription lines of a session renew. */
export type SubscriptionTerms = components['schemas']['SubscriptionTermsDto']

/** A priced order that a customer can pay. Amounts are in the smallest unit of the currency. */
export type CheckoutSession = components['schemas']['CheckoutSessionDto']

/** The billing details of a checkout session were changed, or the session was extended. */
export type CheckoutSessionUpdatedEvent = components['schemas']['CheckoutSessionUpdatedEvent']

/** A checkout session was paid. */
export type CheckoutSessionCompletedEvent = components['schemas']['CheckoutSessionCompletedEvent']

/** A checkout session was cancelled. */
export type CheckoutSessionCanceledEvent = components['schemas']['CheckoutSessionCanceledEvent']

/** A checkout session expired before it was paid. */
export type CheckoutSessionExpiredEvent = components['schemas']['CheckoutSessionExpiredEvent']

/** A checkout session was paid, or a subscription renewed. `billing_details` is always null here; get the order to read them. */
export type OrderCreatedEvent = components['schemas']['OrderCreatedEvent']

/** `charged_back` while the payer disputes the payment, and if the payer has won. */
export type OrderStatus = components['schemas']['OrderStatusDto']

/** Who collects the money. `free`: nothing had to be paid. */
export type PaymentProvider = components['schemas']['PaymentProviderDto']

/** The payment of an order. */
export type OrderPayment = components['schemas']['OrderPaymentDto']

/** A period of a subscription. */
export type SubscriptionPeriod = components['schemas']['SubscriptionPeriodDto']

/** Billing details that the customer gave. */
export type OrderBillingDetails = components['schemas']['OrderBillingDetailsDto']

/** Address on an invoice. */
export type BillingAddress = components['schemas']['BillingAddressDto']

/** A paid checkout session, or a renewal of a subscription. Amounts are in the smallest unit of the currency. */
export type Order = components['schemas']['OrderDto']

/** A refund succeeded. `billing_details` is always null here; get the order to read them. */
export type OrderRefundedEvent = components['schemas']['OrderRefundedEvent']

/** Units of one line of an order. */
export type RefundLine = components['schemas']['RefundLineDto']

/** `pending` until the payment provider has made or rejected the refund. */
export type RefundStatus = components['schemas']['RefundStatusDto']

/** Money returned to the payer of an order. */
export type Refund = components['schemas']['RefundDto']

/** An order with the refund that succeeded. */
export type OrderRefundedEventData = components['schemas']['OrderRefundedEventData']

/** The payer disputed the payment of an order. `billing_details` is always null here; get the order to read them. */
export type OrderChargedBackEvent = components['schemas']['OrderChargedBackEvent']

/** A dispute was won, or a refund failed after it had succeeded. `billing_details` is always null here; get the order to read them. */
export type OrderUpdatedEvent = components['schemas']['OrderUpdatedEvent']

/** A subscription started. */
export type SubscriptionCreatedEvent = components['schemas']['SubscriptionCreatedEvent']

/** `past_due` after a renewal could not be paid; the payment provider may try again. `canceled` is final. */
export type SubscriptionStatus = components['schemas']['SubscriptionStatusDto']

/** `requested` by the customer, by your staff or at the payment provider; `banned`: the customer is banned; `payment_failed`: the provider stopped trying to collect a renewal. */
export type CancellationReason = components['schemas']['CancellationReasonDto']

/** Subscription lines that renew together. Every paid period is an order. */
export type Subscription = components['schemas']['SubscriptionDto']

/** Another period of a subscription was paid. */
export type SubscriptionRenewedEvent = components['schemas']['SubscriptionRenewedEvent']

/** A subscription with the order that renewed it. */
export type SubscriptionRenewedEventData = components['schemas']['SubscriptionRenewedEventData']

/** The period of a subscription, or whether it renews, was changed; or a renewal could not be paid. */
export type SubscriptionUpdatedEvent = components['schemas']['SubscriptionUpdatedEvent']

/** A subscription ended. */
export type SubscriptionCanceledEvent = components['schemas']['SubscriptionCanceledEvent']

/** The store was changed. */
export type StoreUpdatedEvent = components['schemas']['StoreUpdatedEvent']

/** Game that a store sells for. */
export type Game = components['schemas']['GameDto']

/** Public data of a store. */
export type Store = components['schemas']['Store']

/** A webhook endpoint was created. */
export type WebhookEndpointCreatedEvent = components['schemas']['WebhookEndpointCreatedEvent']

/** `standard`: signed JSON with the record. `discord`: a message for a webhook of a Discord channel. */
export type WebhookFormat = components['schemas']['WebhookFormat']

/** `failing`: all attempts failed for five days, ten or more. `gone`: the receiver responded 410. */
export type WebhookDisabledReason = components['schemas']['WebhookDisabledReason']

/** A URL of your own server that receives events of the store. */
export type WebhookEndpoint = components['schemas']['WebhookEndpointDto']

/** A webhook endpoint was changed. */
export type WebhookEndpointUpdatedEvent = components['schemas']['WebhookEndpointUpdatedEvent']

/** A webhook endpoint was deleted. `data` is its last state. */
export type WebhookEndpointDeletedEvent = components['schemas']['WebhookEndpointDeletedEvent']

/** A webhook endpoint that was deleted, in its last state. */
export type WebhookEndpointDeletedEventData = components['schemas']['WebhookEndpointDeletedEventData']

/** Storekeep disabled a webhook endpoint. The other endpoints of the store receive this event. */
export type WebhookEndpointDisabledEvent = components['schemas']['WebhookEndpointDisabledEvent']

/** Type of an event: the record and what happened to it. */
export type WebhookEventType = components['schemas']['WebhookEventType']

/** A new customer, or changes to one. A customer needs at least one of `steam_id`, `minecraft_uuid`, `xbox_xuid` and `name`. */
export type UpsertCustomerRequest = components['schemas']['UpsertCustomerRequestDto']

/** SteamID64 from 76561197960265729 to 76561202255233023. A JSON number with the same digits is accepted too. */
export type SteamId = components['schemas']['SteamId']

/** A new portal session. */
export type CreateCustomerPortalSessionRequest = components['schemas']['CreateCustomerPortalSessionRequestDto']

/** The page of the portal to open: at most one flow. */
export type PortalFlowInput = components['schemas']['PortalFlowInput']

/** A new ban, or changes to a ban. A new ban needs an identity. */
export type UpsertBanRequest = components['schemas']['UpsertBanRequestDto']

/** Identities of one person. */
export type CheckForBanIDByIdentitiesRequest = components['schemas']['CheckForBanIDByIdentitiesRequestDto']

/** One option of a dropdown. */
export type CustomVariableOptionInput = components['schemas']['CustomVariableOptionInput']

/** A new custom variable, or changes to one. A new one needs an identifier, a name and a type, and a dropdown its options. */
export type UpsertCustomVariableRequest = components['schemas']['UpsertCustomVariableRequestDto']

/** `active`: enabled, started and not expired; `inactive`: the others; `all`: both. */
export type CouponFilterStatus = components['schemas']['CouponFilterStatusDto']

/** `generated`: created by the system itself; `manual`: created by anyone else; `all`: both. */
export type CouponFilterType = components['schemas']['CouponFilterTypeDto']

/** A new coupon. Only the code and the discount are required. */
export type CreateCoupon = components['schemas']['CreateCouponDto']

/** Changes to a coupon. Omitted fields are left unchanged; null clears a nullable field. */
export type UpdateCoupon = components['schemas']['UpdateCouponDto']

/** A new affiliate link. */
export type CreateAffiliateLink = components['schemas']['CreateAffiliateLinkDto']

/** Changes to an affiliate link. Omitted fields are left unchanged; no field accepts null. */
export type UpdateAffiliateLink = components['schemas']['UpdateAffiliateLinkDto']

/** What is sold, and on which terms. Settings that have no effect in Storekeep, such as stock limits, commands and game servers, are refused with the item code `unsupported` unless they are null, false, 0 or empty. */
export type CreateProduct = components['schemas']['CreateProductDto']

/** Changes to a product. Omitted fields are left unchanged; null clears a nullable field. Settings that have no effect in Storekeep, such as stock limits, commands and game servers, are refused with the item code `unsupported` unless they are null, false, 0 or empty. */
export type UpdateProduct = components['schemas']['UpdateProductDto']

/** A new checkout session. */
export type CreateCheckoutSessionManagement = components['schemas']['CreateCheckoutSessionManagementDto']

/** What to buy, how many, and for whom. */
export type CreateCheckoutSessionLine = components['schemas']['CreateCheckoutSessionLineDto']

/** The recipient of a gift. */
export type GiftTo = components['schemas']['GiftToDto']

/** Kind of identity of the recipient of a gift. */
export type GiftPlatform = components['schemas']['GiftPlatformDto']

/** Share of one payout account. */
export type PayoutSplitInput = components['schemas']['PayoutSplitInput']

/** Billing details of the customer. */
export type CheckoutCustomerDetails = components['schemas']['CheckoutCustomerDetailsDto']

/** Address on an invoice. */
export type BillingAddressInput = components['schemas']['BillingAddressInput']

/** A refund of an order: everything that is left, an amount, or units of lines. */
export type CreateRefund = components['schemas']['CreateRefundDto']

/** When a subscription ends. */
export type CancelSubscription = components['schemas']['CancelSubscriptionDto']

/** `processing` while the money is on its way, such as with a bank transfer. */
export type PaymentStatus = components['schemas']['PaymentStatusDto']

/** Changes to the payment settings. */
export type UpdatePaymentSettings = components['schemas']['UpdatePaymentSettingsDto']

/** `manual`: bank transfer or cash. `test`: simulated payments, only where the installation allows them. */
export type OfferedPaymentProvider = components['schemas']['OfferedPaymentProviderDto']

/** A new webhook endpoint. */
export type CreateWebhookEndpoint = components['schemas']['CreateWebhookEndpointDto']

/** Type of an event to send: the record and what happened to it. `*` is every type. */
export type WebhookEventFilter = components['schemas']['WebhookEventFilter']

/** Changes to a webhook endpoint. Omitted fields are left unchanged; no field accepts null. */
export type UpdateWebhookEndpoint = components['schemas']['UpdateWebhookEndpointDto']

/** How to replace a signing secret. */
export type RotateWebhookSecret = components['schemas']['RotateWebhookSecretDto']

/** `pending` while an attempt is due or scheduled. `failed` once no attempt is left, or because the endpoint was disabled. */
export type WebhookDeliveryStatus = components['schemas']['WebhookDeliveryStatus']

/** Which deliveries to resend. */
export type ResendWebhookDeliveries = components['schemas']['ResendWebhookDeliveriesDto']

/** Values that a record must contain. All given hints must match; empty hints are ignored. */
export type SearchHints = components['schemas']['SearchHints']

/** Type of record; `unknown` for no restriction. */
export type DashboardSearchResultType = components['schemas']['DashboardSearchResultTypeDto']

/** A typed Minecraft name. */
export type SignInRequest = components['schemas']['SignInRequestDto']

/** Kind of identity at a sign-in. */
export type SignInPlatform = components['schemas']['SignInPlatformDto']

/** Body of every response that is not a success. */
export type ServiceError = components['schemas']['ServiceError']

/** Stable error code. */
export type ErrorCode = components['schemas']['ErrorCode']

/** One invalid field of the request. */
export type ValidationError = components['schemas']['ValidationError']

/** Kind of check. */
export type ValidationKind = components['schemas']['ValidationKind']

/** A token of the customer. */
export type CustomerTokenResponse = components['schemas']['CustomerTokenResponseDto']

/** A temporary link to the customer portal. */
export type CustomerPortalSession = components['schemas']['CustomerPortalSessionDto']

/** Result of a ban check. */
export type CheckForBanIDByIdentitiesResponse = components['schemas']['CheckForBanIDByIdentitiesResponseDto']

/** Where the customer pays. */
export type CreateCheckoutSessionResponse = components['schemas']['CreateCheckoutSessionResponseDto']

/** Something that happened to an order. */
export type OrderTimelineEntry = components['schemas']['OrderTimelineEntryDto']

/** What happened to the order. `marked_paid`: your staff confirmed a manual payment. */
export type OrderTimelineKind = components['schemas']['OrderTimelineKindDto']

/** One attempt to pay a checkout session. */
export type Payment = components['schemas']['PaymentDto']

/** What happened to the money of a payment that succeeded: `completed` if there is an order; `refunded` if the checkout session had expired, was cancelled or was paid otherwise. */
export type PaymentSettlement = components['schemas']['PaymentSettlementDto']

/** How the store is paid. */
export type PaymentSettings = components['schemas']['PaymentSettingsDto']

/** A webhook endpoint with its new signing secret. */
export type WebhookEndpointWithSecret = components['schemas']['WebhookEndpointWithSecretDto']

/** An event on its way to a webhook endpoint. Kept for 30 days. */
export type WebhookDelivery = components['schemas']['WebhookDeliveryDto']

/** A delivery with its requests and responses. */
export type WebhookDeliveryDetails = components['schemas']['WebhookDeliveryDetailsDto']

/** One request of a delivery. */
export type WebhookAttempt = components['schemas']['WebhookAttemptDto']

/** What is resent. */
export type ResendWebhookDeliveriesResponse = components['schemas']['ResendWebhookDeliveriesResponseDto']

/** Search results. */
export type SearchDashboardResponse = components['schemas']['SearchDashboardResponseDto']

/** One match. The record is in the field named like its `type`. */
export type SearchResult = components['schemas']['SearchResultDto']

/** A matching customer. */
export type CustomerSearchResult = components['schemas']['CustomerSearchResultDto']

/** A matching ban. */
export type BanSearchResult = components['schemas']['BanSearchResultDto']

/** A matching coupon. */
export type CouponSearchResult = components['schemas']['CouponSearchResultDto']

/** A matching affiliate link. */
export type AffiliateLinkSearchResult = components['schemas']['AffiliateLinkSearchResultDto']

/** A matching custom variable. */
export type CustomVariableSearchResult = components['schemas']['CustomVariableSearchResultDto']

/** A matching checkout session. */
export type CheckoutSessionSearchResult = components['schemas']['CheckoutSessionSearchResultDto']

/** A matching product. */
export type ProductSearchResult = components['schemas']['ProductSearchResultDto']

/** A matching order. */
export type OrderSearchResult = components['schemas']['OrderSearchResultDto']

/** Number of matches by type of record. */
export type SearchFacets = components['schemas']['SearchFacetsDto']

/** Type of record that the search finds. */
export type SearchedRecord = components['schemas']['SearchedRecordDto']

/** A token of the customer. */
export type SignInResponse = components['schemas']['SignInResponseDto']

/** Parameters of: List customers. */
export type CustomersListParams = components['schemas']['CustomersListParams']

/** Parameters of: Look up a customer. */
export type CustomersLookupParams = components['schemas']['CustomersLookupParams']

/** Parameters of: List bans. */
export type BansListParams = components['schemas']['BansListParams']

/** Parameters of: List coupons. */
export type CouponsListParams = components['schemas']['CouponsListParams']

/** Parameters of: List products. */
export type ProductsListParams = components['schemas']['ProductsListParams']

/** Parameters of: List checkout sessions. */
export type CheckoutsListParams = components['schemas']['CheckoutsListParams']

/** Parameters of: List orders. */
export type OrdersListParams = components['schemas']['OrdersListParams']

/** Parameters of: List subscriptions. */
export type SubscriptionsListParams = components['schemas']['SubscriptionsListParams']

/** Parameters of: List payments. */
export type PaymentsListParams = components['schemas']['PaymentsListParams']

/** Parameters of: List webhook endpoints. */
export type WebhooksListEndpointsParams = components['schemas']['WebhooksListEndpointsParams']

/** Parameters of: List deliveries to a webhook endpoint. */
export type WebhooksListDeliveriesParams = components['schemas']['WebhooksListDeliveriesParams']

/** Parameters of: Search the dashboard. */
export type DashboardSearchParams = components['schemas']['DashboardSearchParams']
