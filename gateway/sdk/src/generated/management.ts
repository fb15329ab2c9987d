// Generated from the gateway's OpenAPI document by `npm run codegen`. Do not edit.

import { path, type PagePromise, type RequestOptions, type ResponsePromise, type Transport, type WriteOptions } from '../runtime/transport.ts'
import type { AffiliateLink, Ban, BansListParams, CancelSubscription, CheckForBanIDByIdentitiesRequest, CheckForBanIDByIdentitiesResponse, CheckoutSession, CheckoutsListParams, Coupon, CouponsListParams, CreateAffiliateLink, CreateCheckoutSessionManagement, CreateCheckoutSessionResponse, CreateCoupon, CreateCustomerPortalSessionRequest, CreateProduct, CreateRefund, CreateWebhookEndpoint, CustomVariable, Customer, CustomerPortalSession, CustomerTokenResponse, CustomersListParams, CustomersLookupParams, DashboardSearchParams, Order, OrderTimelineEntry, OrdersListParams, Payment, PaymentSettings, PaymentsListParams, Product, ProductsListParams, Refund, ResendWebhookDeliveries, ResendWebhookDeliveriesResponse, RotateWebhookSecret, SearchDashboardResponse, SearchResult, Subscription, SubscriptionsListParams, UpdateAffiliateLink, UpdateCoupon, UpdatePaymentSettings, UpdateProduct, UpdateWebhookEndpoint, UpsertBanRequest, UpsertCustomVariableRequest, UpsertCustomerRequest, WebhookDelivery, WebhookDeliveryDetails, WebhookEndpoint, WebhookEndpointWithSecret, WebhooksListDeliveriesParams, WebhooksListEndpointsParams } from './types.ts'

/** People who buy in the store, and the tokens and portal sessions that sign them in. */
export interface CustomersResource {
  /**
   * List customers.
   *
   * Returns customers page by page. All given filters must match.
   *
   * @example
   * for await (const customer of storekeep.customers.list()) {
   *   console.log(customer)
   * }
   */
  list(params?: CustomersListParams, options?: RequestOptions): PagePromise<Customer>

  /**
   * Create a customer.
   *
   * Returns `conflict` when another customer of the store has the same `steam_id`, `minecraft_uuid` or `xbox_xuid`. Names may repeat.
   *
   * @example
   * const customer = await storekeep.customers.create({ steam_id: '76561197960287930', metadata: { rank: 'vip' } })
   */
  create(body: UpsertCustomerRequest, options?: WriteOptions): ResponsePromise<Customer>

  /**
   * Get a customer.
   *
   * Returns one customer by its id.
   *
   * @param customerId Id of the customer.
   * @example
   * const customer = await storekeep.customers.get('411486491630370816')
   */
  get(customerId: string, options?: RequestOptions): ResponsePromise<Customer>

  /**
   * Update a customer.
   *
   * Omitted fields are left unchanged; null clears a field. `metadata` replaces the whole map. At least one identity must remain. Setting `steam_id`, `minecraft_uuid` or `xbox_xuid` of a customer whose `profile.claimed` is true links it: the typed name no longer leads to it, and its tokens and portal sessions end. Verify the identity first. If another customer has the id, the 409 names it.
   *
   * @param customerId Id of the customer.
   * @example
   * const customer = await storekeep.customers.update('411486491630370816', { name: 'Robin', xbox_xuid: null })
   */
  update(customerId: string, body?: UpsertCustomerRequest, options?: WriteOptions): ResponsePromise<Customer>

  /**
   * Create customers in bulk.
   *
   * Creates up to 200 customers, all or none. When any item is invalid, none is created and the error names every invalid item.
   *
   * @example
   * const result = await storekeep.customers.bulkCreate([
   *   { name: 'Robin', metadata: { rank: 'vip' } },
   *   { name: 'Sam' },
   * ])
   */
  bulkCreate(body: UpsertCustomerRequest[], options?: WriteOptions): ResponsePromise<Customer[]>

  /**
   * Look up a customer.
   *
   * Finds a customer by an exact identity. At least one parameter is required; all given parameters must match. If several customers match, the oldest is returned. `steam_id`, `minecraft_uuid` and `xbox_xuid` never find a customer whose `profile.claimed` is true; a Minecraft name finds one if no other customer has that profile name.
   *
   * @example
   * const customer = await storekeep.customers.lookup({ steam_id: '76561197960287930' })
   */
  lookup(params?: CustomersLookupParams, options?: RequestOptions): ResponsePromise<Customer>

  /**
   * Create a customer token.
   *
   * The token authenticates the customer on the storefront for 30 days. Create one only after you verified the identity of the customer.
   *
   * @param customerId Id of the customer.
   * @example
   * const customerToken = await storekeep.customers.mintToken('411486491630370816')
   */
  mintToken(customerId: string, options?: WriteOptions): ResponsePromise<CustomerTokenResponse>

  /**
   * Revoke all tokens of a customer.
   *
   * Signs the customer out everywhere. Once this call returns, no token and no portal session created earlier is accepted. Returns 204 even if there were none.
   *
   * @param customerId Id of the customer.
   * @example
   * await storekeep.customers.revokeTokens('411486491630370816')
   */
  revokeTokens(customerId: string, options?: RequestOptions): ResponsePromise<void>

  /**
   * Create a customer portal session.
   *
   * Returns a temporary URL where the customer reads orders and manages subscriptions without signing in. A `flow` must name a subscription of the customer.
   *
   * @param customerId Id of the customer.
   * @example
   * const customerPortalSession = await storekeep.customers.createPortalSession('411486491630370816', {
   *   expires_in: 'PT1H',
   *   return_url: 'https://shop.example.com/account',
   * })
   */
  createPortalSession(customerId: string, body?: CreateCustomerPortalSessionRequest, options?: WriteOptions): ResponsePromise<CustomerPortalSession>
}

/** Bans by Steam, Minecraft, Xbox, e-mail, IP address, name or customer id. */
export interface BansResource {
  /**
   * List bans.
   *
   * Returns bans page by page, including expired ones. All given filters must match.
   *
   * @example
   * for await (const ban of storekeep.bans.list()) {
   *   console.log(ban)
   * }
   */
  list(params?: BansListParams, options?: RequestOptions): PagePromise<Ban>

  /**
   * Create a ban.
   *
   * Prevents customers with any of the identities from checking out until the ban expires or is deleted. Checkouts fail with `customer-banned`.
   *
   * @example
   * const ban = await storekeep.bans.create({
   *   reason: 'Chargeback of order 1042',
   *   identities: [
   *     {
   *       ban_type: 'steam',
   *       ban_type_value: '76561197960287930',
   *     },
   *     { ban_type: 'ip', ban_type_value: '2001:db8::1' },
   *   ],
   * })
   */
  create(body: UpsertBanRequest, options?: WriteOptions): ResponsePromise<Ban>

  /**
   * Get a ban.
   *
   * Returns one ban by its id.
   *
   * @param banId Id of the ban.
   * @example
   * const ban = await storekeep.bans.get('411486491630370816')
   */
  get(banId: string, options?: RequestOptions): ResponsePromise<Ban>

  /**
   * Update a ban.
   *
   * Omitted fields are left unchanged; `identities` replaces the whole list. Set `expires_at` to null to make the ban permanent, or to a past time to end it.
   *
   * @param banId Id of the ban.
   * @example
   * const ban = await storekeep.bans.update('411486491630370816', { expires_at: '2027-01-01T00:00:00Z' })
   */
  update(banId: string, body?: UpsertBanRequest, options?: WriteOptions): ResponsePromise<Ban>

  /**
   * Delete a ban.
   *
   * Deletes the ban permanently; it stops applying at once.
   *
   * @param banId Id of the ban.
   * @example
   * await storekeep.bans.delete('411486491630370816')
   */
  delete(banId: string, options?: RequestOptions): ResponsePromise<void>

  /**
   * Check identities for a ban.
   *
   * Finds a ban that applies to any of the identities. If there are several, the oldest is returned. Expired bans are ignored.
   *
   * @example
   * const result = await storekeep.bans.check({
   *   identities: [
   *     {
   *       ban_type: 'steam',
   *       ban_type_value: '76561197960287930',
   *     },
   *     { ban_type: 'ip', ban_type_value: '2001:db8::1' },
   *   ],
   * })
   */
  check(body: CheckForBanIDByIdentitiesRequest, options?: WriteOptions): ResponsePromise<CheckForBanIDByIdentitiesResponse>
}

/** Questions that buyers answer when they buy a product. */
export interface CustomVariablesResource {
  /**
   * List custom variables.
   *
   * Returns all custom variables of the store, newest first. The list is not paged.
   *
   * @example
   * for await (const customVariable of storekeep.customVariables.list()) {
   *   console.log(customVariable)
   * }
   */
  list(options?: RequestOptions): PagePromise<CustomVariable>

  /**
   * Create a custom variable.
   *
   * Creates a question that buyers answer when they buy a product. A store can have at most 500 custom variables, and 4000 options in total.
   *
   * @example
   * const customVariable = await storekeep.customVariables.create({
   *   identifier: 'colour',
   *   name: 'Colour',
   *   description: 'Of the name tag.',
   *   type: 'dropdown',
   *   options: [
   *     {
   *       name: 'Green',
   *       value: 'green',
   *       price: 0,
   *       price_type: 'fixed',
   *       is_default: true,
   *     },
   *     {
   *       name: 'Gold',
   *       value: 'gold',
   *       price: 125,
   *       price_type: 'percentage',
   *       is_default: false,
   *     },
   *   ],
   * })
   */
  create(body: UpsertCustomVariableRequest, options?: WriteOptions): ResponsePromise<CustomVariable>

  /**
   * Get a custom variable.
   *
   * Returns one custom variable by its id.
   *
   * @param customVariableId Id of the custom variable.
   * @example
   * const customVariable = await storekeep.customVariables.get('411486491630370816')
   */
  get(customVariableId: string, options?: RequestOptions): ResponsePromise<CustomVariable>

  /**
   * Update a custom variable.
   *
   * Omitted fields are left unchanged; `options` replaces the whole list. Changing `type` removes what the new type cannot have: the options or the pattern.
   *
   * @param customVariableId Id of the custom variable.
   * @example
   * const customVariable = await storekeep.customVariables.update('411486491630370816', { name: 'Colour of the name tag' })
   */
  update(customVariableId: string, body?: UpsertCustomVariableRequest, options?: WriteOptions): ResponsePromise<CustomVariable>

  /**
   * Delete a custom variable.
   *
   * Deletes the custom variable and its options. Products no longer ask for it.
   *
   * @param customVariableId Id of the custom variable.
   * @example
   * await storekeep.customVariables.delete('411486491630370816')
   */
  delete(customVariableId: string, options?: RequestOptions): ResponsePromise<void>
}

/** Discount codes with redemption limits. */
export interface CouponsResource {
  /**
   * List coupons.
   *
   * Returns coupons page by page. All given filters must match.
   *
   * @example
   * for await (const coupon of storekeep.coupons.list()) {
   *   console.log(coupon)
   * }
   */
  list(params?: CouponsListParams, options?: RequestOptions): PagePromise<Coupon>

  /**
   * Create a coupon.
   *
   * Redemption limits are exact under any concurrency: an open checkout session reserves a redemption until it is paid, cancelled or expired.
   *
   * @example
   * const coupon = await storekeep.coupons.create({
   *   code: 'SUMMER',
   *   discount_type: 'percent',
   *   discount_amount: 125,
   *   minimum_order_value: 1000,
   *   redeem_limit_store_enabled: true,
   *   redeem_limit_store_amount: 500,
   *   redeem_limit_customer_enabled: true,
   *   redeem_limit_customer_amount: 1,
   *   expires_at: '2027-01-01T00:00:00Z',
   * })
   */
  create(body: CreateCoupon, options?: WriteOptions): ResponsePromise<Coupon>

  /**
   * Get a coupon.
   *
   * Returns one coupon by its id.
   *
   * @param couponId Id of the coupon.
   * @example
   * const coupon = await storekeep.coupons.get('411486491630370816')
   */
  get(couponId: string, options?: RequestOptions): ResponsePromise<Coupon>

  /**
   * Update a coupon.
   *
   * Omitted fields are left unchanged; null clears a nullable field and is refused for others. The resulting coupon must be valid: when you change `duration` from `repeating`, also clear `duration_in_months` or `duration_in_intervals`.
   *
   * @param couponId Id of the coupon.
   * @example
   * const coupon = await storekeep.coupons.update('411486491630370816', { enabled: false, expires_at: null })
   */
  update(couponId: string, body?: UpdateCoupon, options?: WriteOptions): ResponsePromise<Coupon>

  /**
   * Delete a coupon.
   *
   * Deletes the coupon. Its code can be used again; open checkout sessions keep their discount.
   *
   * @param couponId Id of the coupon.
   * @example
   * await storekeep.coupons.delete('411486491630370816')
   */
  delete(couponId: string, options?: RequestOptions): ResponsePromise<void>
}

/** Codes that credit partners with the sales they bring in. */
export interface AffiliateLinksResource {
  /**
   * List affiliate links.
   *
   * Returns all affiliate links of the store, newest first. There are at most 1000, so the list is not paged.
   *
   * @example
   * for await (const affiliateLink of storekeep.affiliateLinks.list()) {
   *   console.log(affiliateLink)
   * }
   */
  list(options?: RequestOptions): PagePromise<AffiliateLink>

  /**
   * Create an affiliate link.
   *
   * Returns `conflict` when another link has the code, or when the store has 1000 links.
   *
   * @example
   * const affiliateLink = await storekeep.affiliateLinks.create({
   *   wallet_id: 'wallet-7',
   *   enabled: true,
   *   code: 'ROBIN',
   *   referer_type: 'last_referer',
   *   tracking_length_days: 30,
   *   apply_for_subscriptions: true,
   *   discount_type: 'percentage',
   *   discount_amount: 50,
   *   commission_type: 'percentage',
   *   commission_amount: 125,
   *   commission_amount_steps: [
   *     { billing_cycle_sequence: 1, commission_amount: 125 },
   *     { billing_cycle_sequence: 2, commission_amount: 50 },
   *   ],
   *   last_commission_amount_step_repeats: true,
   * })
   */
  create(body: CreateAffiliateLink, options?: WriteOptions): ResponsePromise<AffiliateLink>

  /**
   * Get an affiliate link.
   *
   * Returns one affiliate link by its id.
   *
   * @param affiliateLinkId Id of the affiliate link.
   * @example
   * const affiliateLink = await storekeep.affiliateLinks.get('411486491630370816')
   */
  get(affiliateLinkId: string, options?: RequestOptions): ResponsePromise<AffiliateLink>

  /**
   * Update an affiliate link.
   *
   * Omitted fields are left unchanged; `commission_amount_steps` replaces the whole list. The resulting link must be valid: when you change a type to `none`, also set its amounts to 0.
   *
   * @param affiliateLinkId Id of the affiliate link.
   * @example
   * const affiliateLink = await storekeep.affiliateLinks.update('411486491630370816', { enabled: false })
   */
  update(affiliateLinkId: string, body?: UpdateAffiliateLink, options?: WriteOptions): ResponsePromise<AffiliateLink>

  /**
   * Delete an affiliate link.
   *
   * Deletes the affiliate link permanently. Its code can be used again.
   *
   * @param affiliateLinkId Id of the affiliate link.
   * @example
   * await storekeep.affiliateLinks.delete('411486491630370816')
   */
  delete(affiliateLinkId: string, options?: RequestOptions): ResponsePromise<void>
}

/** What the store sells. */
export interface ProductsResource {
  /**
   * List products.
   *
   * Returns products page by page, including hidden products and products not currently on sale.
   *
   * @example
   * for await (const product of storekeep.products.list()) {
   *   console.log(product)
   * }
   */
  list(params?: ProductsListParams, options?: RequestOptions): PagePromise<Product>

  /**
   * Create a product.
   *
   * Creates a product that buyers can buy once, subscribe to, or both.
   *
   * @example
   * const product = await storekeep.products.create({
   *   slug: 'vip-rank',
   *   name: 'VIP rank',
   *   description: 'Priority in the queue, and a badge.',
   *   price: 999,
   *   tags: ['411486491630370830'],
   *   metadata: { command: 'grant vip' },
   * })
   */
  create(body: CreateProduct, options?: WriteOptions): ResponsePromise<Product>

  /**
   * Get a product.
   *
   * Returns one product by its id.
   *
   * @param productId Id of the product.
   * @example
   * const product = await storekeep.products.get('411486491630370816')
   */
  get(productId: string, options?: RequestOptions): ResponsePromise<Product>

  /**
   * Update a product.
   *
   * Omitted fields are left unchanged; null clears a nullable field. `tags`, `custom_variable_ids` and `metadata` are replaced as a whole. Existing checkout sessions keep the previous name and price.
   *
   * @param productId Id of the product.
   * @example
   * const product = await storekeep.products.update('411486491630370816', { price: 1499, label: 'New' })
   */
  update(productId: string, body?: UpdateProduct, options?: WriteOptions): ResponsePromise<Product>

  /**
   * Delete a product.
   *
   * Deletes the product permanently. Checkout sessions keep its name and price.
   *
   * @param productId Id of the product.
   * @example
   * await storekeep.products.delete('411486491630370816')
   */
  delete(productId: string, options?: RequestOptions): ResponsePromise<void>
}

/** Priced orders that customers pay. */
export interface CheckoutsResource {
  /**
   * List checkout sessions.
   *
   * Returns checkout sessions page by page, without their tokens.
   *
   * @example
   * for await (const result of storekeep.checkouts.list()) {
   *   console.log(result)
   * }
   */
  list(params?: CheckoutsListParams, options?: RequestOptions): PagePromise<CheckoutSession>

  /**
   * Create a checkout session.
   *
   * Prices the lines, reserves the coupon and returns the URL where the customer pays within 24 hours. An error about a coupon or code has an item code with the reason, such as `coupon-expired` or `coupon-exhausted`. The customer and the products must exist in the store: replace the ids in the example with your own.
   *
   * @example
   * const result = await storekeep.checkouts.create({
   *   lines: [
   *     { quantity: 2, product_id: '411486491630370832' },
   *     {
   *       quantity: 1,
   *       inline_product: {
   *         name: 'VIP rank',
   *         price: 999,
   *         allow_one_time_purchase: true,
   *       },
   *     },
   *   ],
   *   customer_id: '411486491630370816',
   *   return_url: 'https://shop.example.com/thanks',
   *   auto_redirect: true,
   *   customer_details: {
   *     billing_email: 'robin@example.com',
   *     billing_address: { country: 'DE' },
   *   },
   * })
   */
  create(body: CreateCheckoutSessionManagement, options?: WriteOptions): ResponsePromise<CreateCheckoutSessionResponse>

  /**
   * Get a checkout session.
   *
   * Returns one checkout session by its id, without its token.
   *
   * @param checkoutId Id of the checkout session.
   * @example
   * const result = await storekeep.checkouts.get('411486491630370816')
   */
  get(checkoutId: string, options?: RequestOptions): ResponsePromise<CheckoutSession>
}

/** Paid checkout sessions and renewals, their refunds and timelines. */
export interface OrdersResource {
  /**
   * List orders.
   *
   * Returns orders page by page. All given filters must match.
   *
   * @example
   * for await (const order of storekeep.orders.list()) {
   *   console.log(order)
   * }
   */
  list(params?: OrdersListParams, options?: RequestOptions): PagePromise<Order>

  /**
   * Get an order.
   *
   * Returns one order by its id.
   *
   * @param orderId Id of the order.
   * @example
   * const order = await storekeep.orders.get('411486491630370816')
   */
  get(orderId: string, options?: RequestOptions): ResponsePromise<Order>

  /**
   * Create a refund of an order.
   *
   * Returns money to the payer. All refunds of an order together never exceed what was paid, and an order has at most 500 of them. A `pending` refund is retried until the payment provider makes or rejects it. For a manual payment, return the money yourself.
   *
   * @param orderId Id of the order.
   * @example
   * const refund = await storekeep.orders.createRefund('411486491630370816', { amount: 50, reason: 'The server was down.' })
   */
  createRefund(orderId: string, body?: CreateRefund, options?: WriteOptions): ResponsePromise<Refund>

  /**
   * Get the timeline of an order.
   *
   * Returns everything that happened to an order, oldest first.
   *
   * @param orderId Id of the order.
   * @example
   * for await (const orderTimelineEntry of storekeep.orders.listTimeline('411486491630370816')) {
   *   console.log(orderTimelineEntry)
   * }
   */
  listTimeline(orderId: string, options?: RequestOptions): PagePromise<OrderTimelineEntry>
}

/** Subscription lines of paid checkout sessions, which renew period by period. */
export interface SubscriptionsResource {
  /**
   * List subscriptions.
   *
   * Returns subscriptions page by page. All given filters must match.
   *
   * @example
   * for await (const subscription of storekeep.subscriptions.list()) {
   *   console.log(subscription)
   * }
   */
  list(params?: SubscriptionsListParams, options?: RequestOptions): PagePromise<Subscription>

  /**
   * Get a subscription.
   *
   * Returns one subscription by its id. Its orders are listed by `GET …/orders?subscription_id=…`.
   *
   * @param subscriptionId Id of the subscription.
   * @example
   * const subscription = await storekeep.subscriptions.get('411486491630370816')
   */
  get(subscriptionId: string, options?: RequestOptions): ResponsePromise<Subscription>

  /**
   * Cancel a subscription.
   *
   * Ends a subscription, also at its payment provider. Nothing is refunded: refund the order of the current period if you want to. Repeating the call changes nothing.
   *
   * @param subscriptionId Id of the subscription.
   * @example
   * const subscription = await storekeep.subscriptions.cancel('411486491630370816', { now: false })
   */
  cancel(subscriptionId: string, body?: CancelSubscription, options?: WriteOptions): ResponsePromise<Subscription>
}

/** Payments of checkout sessions, and how the store is paid. */
export interface PaymentsResource {
  /**
   * List payments.
   *
   * Returns attempts to pay page by page, including those without an order. All given filters must match. Manual payments that wait for their money have the status `processing`.
   *
   * @example
   * for await (const payment of storekeep.payments.list()) {
   *   console.log(payment)
   * }
   */
  list(params?: PaymentsListParams, options?: RequestOptions): PagePromise<Payment>

  /**
   * Mark a manual payment as paid.
   *
   * Call this when you have received the money of a manual payment. Completes the checkout session and creates the order. If the session has expired, been canceled or been paid by another payment, which cancels the manual payment, the money is recorded and `settlement` becomes `refunded`: return the money to the payer. Repeating the call changes nothing.
   *
   * @param paymentId Id of the payment.
   * @example
   * const payment = await storekeep.payments.markPaid('411486491630370816')
   */
  markPaid(paymentId: string, options?: WriteOptions): ResponsePromise<Payment>

  /**
   * Get the payment settings.
   *
   * Returns how the store is paid, without its secrets.
   *
   * @example
   * const paymentSettings = await storekeep.payments.getSettings()
   */
  getSettings(options?: RequestOptions): ResponsePromise<PaymentSettings>

  /**
   * Update the payment settings.
   *
   * Omitted fields are left unchanged; null clears the instructions or a secret.
   *
   * @example
   * const paymentSettings = await storekeep.payments.updateSettings({
   *   enabled_providers: ['manual'],
   *   manual_instructions: 'Transfer the total to DE02 1203 0000 0000 2020 51.',
   * })
   */
  updateSettings(body?: UpdatePaymentSettings, options?: WriteOptions): ResponsePromise<PaymentSettings>
}

/** Endpoints that receive the events of a store, and what was delivered to them. */
export interface WebhooksResource {
  /**
   * List webhook endpoints.
   *
   * Returns webhook endpoints page by page, including disabled ones.
   *
   * @example
   * for await (const webhookEndpoint of storekeep.webhooks.listEndpoints()) {
   *   console.log(webhookEndpoint)
   * }
   */
  listEndpoints(params?: WebhooksListEndpointsParams, options?: RequestOptions): PagePromise<WebhookEndpoint>

  /**
   * Create a webhook endpoint.
   *
   * Sends the events of the store that occur from now on to your server, with retries for about three days. Requests are signed with the returned secret, as Standard Webhooks specifies. A store has at most 50 endpoints.
   *
   * @example
   * const webhookEndpointWithSecret = await storekeep.webhooks.createEndpoint({
   *   url: 'https://shop.example.com/hooks/storekeep',
   *   event_types: ['order.created'],
   *   description: 'Delivers ranks on the game servers',
   *   headers: { Authorization: 'Bearer 3hZ8wQ' },
   * })
   */
  createEndpoint(body: CreateWebhookEndpoint, options?: WriteOptions): ResponsePromise<WebhookEndpointWithSecret>

  /**
   * Get a webhook endpoint.
   *
   * Returns one webhook endpoint by its id, without its signing secrets and the values of its headers.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @example
   * const webhookEndpoint = await storekeep.webhooks.getEndpoint('411486491630370816')
   */
  getEndpoint(webhookEndpointId: string, options?: RequestOptions): ResponsePromise<WebhookEndpoint>

  /**
   * Update a webhook endpoint.
   *
   * Omitted fields are left unchanged; `event_types` and `headers` are replaced as a whole. If the scheme, host or port of `url` changes and the endpoint has headers, the request must contain the values of its headers again, or `headers: {}` to remove them.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @example
   * const webhookEndpoint = await storekeep.webhooks.updateEndpoint('411486491630370816', { event_types: ['*'] })
   */
  updateEndpoint(webhookEndpointId: string, body?: UpdateWebhookEndpoint, options?: WriteOptions): ResponsePromise<WebhookEndpoint>

  /**
   * Delete a webhook endpoint.
   *
   * Deletes the endpoint with its deliveries. Requests that are being sent may still arrive.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @example
   * await storekeep.webhooks.deleteEndpoint('411486491630370816')
   */
  deleteEndpoint(webhookEndpointId: string, options?: RequestOptions): ResponsePromise<void>

  /**
   * Rotate the signing secret of a webhook endpoint.
   *
   * Creates a new signing secret. Until the overlap ends, each request has a signature for every valid secret. An endpoint has at most five: the oldest ends first.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @example
   * const webhookEndpointWithSecret = await storekeep.webhooks.rotateSecret('411486491630370816', { overlap_seconds: 3600 })
   */
  rotateSecret(webhookEndpointId: string, body?: RotateWebhookSecret, options?: WriteOptions): ResponsePromise<WebhookEndpointWithSecret>

  /**
   * Send a test event to a webhook endpoint.
   *
   * Sends an event of type `ping` to this endpoint, whatever its event types. Get the delivery to see the response.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @example
   * const webhookDelivery = await storekeep.webhooks.pingEndpoint('411486491630370816')
   */
  pingEndpoint(webhookEndpointId: string, options?: WriteOptions): ResponsePromise<WebhookDelivery>

  /**
   * List deliveries to a webhook endpoint.
   *
   * Returns the deliveries of the last 30 days page by page. All given filters must match.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @example
   * for await (const webhookDelivery of storekeep.webhooks.listDeliveries('411486491630370816')) {
   *   console.log(webhookDelivery)
   * }
   */
  listDeliveries(webhookEndpointId: string, params?: WebhooksListDeliveriesParams, options?: RequestOptions): PagePromise<WebhookDelivery>

  /**
   * Get a delivery to a webhook endpoint.
   *
   * Returns one delivery with its requests and the responses of your server.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @param deliveryId Id of the delivery.
   * @example
   * const webhookDeliveryDetails = await storekeep.webhooks.getDelivery('411486491630370816', '411486491630370816')
   */
  getDelivery(webhookEndpointId: string, deliveryId: string, options?: RequestOptions): ResponsePromise<WebhookDeliveryDetails>

  /**
   * Resend a delivery.
   *
   * Sends the event again, with the same `webhook-id`, as another delivery. The endpoint must be enabled.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @param deliveryId Id of the delivery.
   * @example
   * const webhookDelivery = await storekeep.webhooks.resendDelivery('411486491630370816', '411486491630370816')
   */
  resendDelivery(webhookEndpointId: string, deliveryId: string, options?: WriteOptions): ResponsePromise<WebhookDelivery>

  /**
   * Resend the deliveries of a time range.
   *
   * Sends events again in their original order, for example after your server lost some. One request schedules up to 500 events. If more may remain, the response has `next_after`: repeat the request with it as `after`, and with another `Idempotency-Key`. Events that still wait to be sent are left out.
   *
   * @param webhookEndpointId Id of the webhook endpoint.
   * @example
   * const resendWebhookDeliveries = await storekeep.webhooks.resendDeliveries('411486491630370816', {
   *   since: '2026-11-20T00:00:00Z',
   *   until: '2026-11-21T00:00:00Z',
   *   only_failed: true,
   * })
   */
  resendDeliveries(webhookEndpointId: string, body: ResendWebhookDeliveries, options?: WriteOptions): ResponsePromise<ResendWebhookDeliveriesResponse>
}

/** Search over all records of a store. */
export interface DashboardResource {
  /**
   * Search the dashboard.
   *
   * Searches customers by name and id, bans by reason and identity, coupons and affiliate links by code and note, custom variables by identifier and name, products by name and slug, checkout sessions by customer and metadata, and orders by number, id, e-mail and customer. Every word of `query` must match a word, a prefix or a substring, ignoring case and accents; words of four or more letters tolerate one typo. A query that is a complete id, e-mail or IP address finds only records with exactly this value, if there are any. A record whose id equals the query comes first on the first page; all others are ordered by id, newest first. The index follows changes with a short delay.
   *
   * @example
   * for await (const searchResult of storekeep.dashboard.search()) {
   *   console.log(searchResult)
   * }
   */
  search(params?: DashboardSearchParams, options?: RequestOptions): PagePromise<SearchResult, SearchDashboardResponse>
}

/** A method for each operation that needs an API key. */
export abstract class ManagementApi {
  /** People who buy in the store, and the tokens and portal sessions that sign them in. */
  readonly customers: CustomersResource
  /** Bans by Steam, Minecraft, Xbox, e-mail, IP address, name or customer id. */
  readonly bans: BansResource
  /** Questions that buyers answer when they buy a product. */
  readonly customVariables: CustomVariablesResource
  /** Discount codes with redemption limits. */
  readonly coupons: CouponsResource
  /** Codes that credit partners with the sales they bring in. */
  readonly affiliateLinks: AffiliateLinksResource
  /** What the store sells. */
  readonly products: ProductsResource
  /** Priced orders that customers pay. */
  readonly checkouts: CheckoutsResource
  /** Paid checkout sessions and renewals, their refunds and timelines. */
  readonly orders: OrdersResource
  /** Subscription lines of paid checkout sessions, which renew period by period. */
  readonly subscriptions: SubscriptionsResource
  /** Payments of checkout sessions, and how the store is paid. */
  readonly payments: PaymentsResource
  /** Endpoints that receive the events of a store, and what was delivered to them. */
  readonly webhooks: WebhooksResource
  /** Search over all records of a store. */
  readonly dashboard: DashboardResource

  constructor(api: Transport) {
    this.customers = {
      list: (params, options) => api.page('/customers', params, options),
      create: (body, options) => api.send('POST', '/customers', { body, takesKey: true }, options),
      get: (customerId, options) => api.send('GET', path`/customers/${customerId}`, {}, options),
      update: (customerId, body, options) => api.send('PATCH', path`/customers/${customerId}`, { body, takesKey: true }, options),
      bulkCreate: (body, options) => api.send('POST', '/customers/bulk', { body, takesKey: true }, options),
      lookup: (params, options) => api.send('GET', '/customers/lookup', { query: params }, options),
      mintToken: (customerId, options) => api.send('POST', path`/customers/${customerId}/tokens`, { takesKey: true }, options),
      revokeTokens: (customerId, options) => api.send('DELETE', path`/customers/${customerId}/tokens`, {}, options),
      createPortalSession: (customerId, body, options) => api.send('POST', path`/customers/${customerId}/portal-sessions`, { body, takesKey: true }, options),
    }
    this.bans = {
      list: (params, options) => api.page('/bans', params, options),
      create: (body, options) => api.send('POST', '/bans', { body, takesKey: true }, options),
      get: (banId, options) => api.send('GET', path`/bans/${banId}`, {}, options),
      update: (banId, body, options) => api.send('PATCH', path`/bans/${banId}`, { body, takesKey: true }, options),
      delete: (banId, options) => api.send('DELETE', path`/bans/${banId}`, {}, options),
      check: (body, options) => api.send('POST', '/bans/check', { body, takesKey: true }, options),
    }
    this.customVariables = {
      list: (options) => api.page('/custom-variables', undefined, options),
      create: (body, options) => api.send('POST', '/custom-variables', { body, takesKey: true }, options),
      get: (customVariableId, options) => api.send('GET', path`/custom-variables/${customVariableId}`, {}, options),
      update: (customVariableId, body, options) => api.send('PATCH', path`/custom-variables/${customVariableId}`, { body, takesKey: true }, options),
      delete: (customVariableId, options) => api.send('DELETE', path`/custom-variables/${customVariableId}`, {}, options),
    }
    this.coupons = {
      list: (params, options) => api.page('/coupons', params, options),
      create: (body, options) => api.send('POST', '/coupons', { body, takesKey: true }, options),
      get: (couponId, options) => api.send('GET', path`/coupons/${couponId}`, {}, options),
      update: (couponId, body, options) => api.send('PATCH', path`/coupons/${couponId}`, { body, takesKey: true }, options),
      delete: (couponId, options) => api.send('DELETE', path`/coupons/${couponId}`, {}, options),
    }
    this.affiliateLinks = {
      list: (options) => api.page('/affiliate-links', undefined, options),
      create: (body, options) => api.send('POST', '/affiliate-links', { body, takesKey: true }, options),
      get: (affiliateLinkId, options) => api.send('GET', path`/affiliate-links/${affiliateLinkId}`, {}, options),
      update: (affiliateLinkId, body, options) => api.send('PATCH', path`/affiliate-links/${affiliateLinkId}`, { body, takesKey: true }, options),
      delete: (affiliateLinkId, options) => api.send('DELETE', path`/affiliate-links/${affiliateLinkId}`, {}, options),
    }
    this.products = {
      list: (params, options) => api.page('/products', params, options),
      create: (body, options) => api.send('POST', '/products', { body, takesKey: true }, options),
      get: (productId, options) => api.send('GET', path`/products/${productId}`, {}, options),
      update: (productId, body, options) => api.send('PATCH', path`/products/${productId}`, { body, takesKey: true }, options),
      delete: (productId, options) => api.send('DELETE', path`/products/${productId}`, {}, options),
    }
    this.checkouts = {
      list: (params, options) => api.page('/checkouts', params, options),
      create: (body, options) => api.send('POST', '/checkouts', { body, takesKey: true }, options),
      get: (checkoutId, options) => api.send('GET', path`/checkouts/${checkoutId}`, {}, options),
    }
    this.orders = {
      list: (params, options) => api.page('/orders', params, options),
      get: (orderId, options) => api.send('GET', path`/orders/${orderId}`, {}, options),
      createRefund: (orderId, body, options) => api.send('POST', path`/orders/${orderId}/refunds`, { body, takesKey: true }, options),
      listTimeline: (orderId, options) => api.page(path`/orders/${orderId}/timeline`, undefined, options),
    }
    this.subscriptions = {
      list: (params, options) => api.page('/subscriptions', params, options),
      get: (subscriptionId, options) => api.send('GET', path`/subscriptions/${subscriptionId}`, {}, options),
      cancel: (subscriptionId, body, options) => api.send('POST', path`/subscriptions/${subscriptionId}/cancel`, { body, takesKey: true }, options),
    }
    this.payments = {
      list: (params, options) => api.page('/payments', params, options),
      markPaid: (paymentId, options) => api.send('POST', path`/payments/${paymentId}/mark-paid`, { takesKey: true }, options),
      getSettings: (options) => api.send('GET', '/payment-settings', {}, options),
      updateSettings: (body, options) => api.send('PATCH', '/payment-settings', { body, takesKey: true }, options),
    }
    this.webhooks = {
      listEndpoints: (params, options) => api.page('/webhook-endpoints', params, options),
      createEndpoint: (body, options) => api.send('POST', '/webhook-endpoints', { body, takesKey: true }, options),
      getEndpoint: (webhookEndpointId, options) => api.send('GET', path`/webhook-endpoints/${webhookEndpointId}`, {}, options),
      updateEndpoint: (webhookEndpointId, body, options) => api.send('PATCH', path`/webhook-endpoints/${webhookEndpointId}`, { body, takesKey: true }, options),
      deleteEndpoint: (webhookEndpointId, options) => api.send('DELETE', path`/webhook-endpoints/${webhookEndpointId}`, {}, options),
      rotateSecret: (webhookEndpointId, body, options) => api.send('POST', path`/webhook-endpoints/${webhookEndpointId}/rotate-secret`, { body, takesKey: true }, options),
      pingEndpoint: (webhookEndpointId, options) => api.send('POST', path`/webhook-endpoints/${webhookEndpointId}/ping`, { takesKey: true }, options),
      listDeliveries: (webhookEndpointId, params, options) => api.page(path`/webhook-endpoints/${webhookEndpointId}/deliveries`, params, options),
      getDelivery: (webhookEndpointId, deliveryId, options) => api.send('GET', path`/webhook-endpoints/${webhookEndpointId}/deliveries/${deliveryId}`, {}, options),
      resendDelivery: (webhookEndpointId, deliveryId, options) => api.send('POST', path`/webhook-endpoints/${webhookEndpointId}/deliveries/${deliveryId}/resend`, { takesKey: true }, options),
      resendDeliveries: (webhookEndpointId, body, options) => api.send('POST', path`/webhook-endpoints/${webhookEndpointId}/resend`, { body, takesKey: true }, options),
    }
    this.dashboard = {
      search: (params, options) => api.page('/dashboard/search', params, options, 'results'),
    }
  }
}
