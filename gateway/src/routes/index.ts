import type { Endpoint } from '../http/endpoint.ts'
import { createAffiliateLink } from './affiliate-links/create-affiliate-link.ts'
import { deleteAffiliateLink } from './affiliate-links/delete-affiliate-link.ts'
import { getAffiliateLink } from './affiliate-links/get-affiliate-link.ts'
import { listAffiliateLinks } from './affiliate-links/list-affiliate-links.ts'
import { updateAffiliateLink } from './affiliate-links/update-affiliate-link.ts'
import { checkBan } from './bans/check-ban.ts'
import { createBan } from './bans/create-ban.ts'
import { deleteBan } from './bans/delete-ban.ts'
import { getBan } from './bans/get-ban.ts'
import { listBans } from './bans/list-bans.ts'
import { updateBan } from './bans/update-ban.ts'
import { cancelCheckout } from './checkouts/cancel-checkout.ts'
import { createCheckout } from './checkouts/create-checkout.ts'
import { createCheckoutSession } from './checkouts/create-checkout-session.ts'
import { getCheckoutSession } from './checkouts/get-checkout-session.ts'
import { listCheckoutSessions } from './checkouts/list-checkout-sessions.ts'
import { createCoupon } from './coupons/create-coupon.ts'
import { deleteCoupon } from './coupons/delete-coupon.ts'
import { getCoupon } from './coupons/get-coupon.ts'
import { listCoupons } from './coupons/list-coupons.ts'
import { updateCoupon } from './coupons/update-coupon.ts'
import { createCustomVariable } from './custom-variables/create-custom-variable.ts'
import { deleteCustomVariable } from './custom-variables/delete-custom-variable.ts'
import { getCustomVariable } from './custom-variables/get-custom-variable.ts'
import { listCustomVariables } from './custom-variables/list-custom-variables.ts'
import { updateCustomVariable } from './custom-variables/update-custom-variable.ts'
import { bulkCreateCustomers } from './customers/bulk-create-customers.ts'
import { createCustomer } from './customers/create-customer.ts'
import { createPortalSession } from './customers/create-portal-session.ts'
import { getCustomer } from './customers/get-customer.ts'
import { listCustomers } from './customers/list-customers.ts'
import { lookupCustomer } from './customers/lookup-customer.ts'
import { mintToken } from './customers/mint-token.ts'
import { revokeTokens } from './customers/revoke-tokens.ts'
import { updateCustomer } from './customers/update-customer.ts'
import { bulkCreateDeliveryItems } from './delivery/bulk-create-delivery-items.ts'
import { createCustomerDeliveryItems } from './delivery/create-customer-delivery-items.ts'
import { createGlobalCommand } from './delivery/create-global-command.ts'
import { deleteGlobalCommand } from './delivery/delete-global-command.ts'
import { listCustomerDeliveryCommands } from './delivery/list-customer-delivery-commands.ts'
import { listCustomerDeliveryItems } from './delivery/list-customer-delivery-items.ts'
import { listDeliveryItems } from './delivery/list-delivery-items.ts'
import { listGameServerDeliveryItems } from './delivery/list-game-server-delivery-items.ts'
import { listGlobalCommands } from './delivery/list-global-commands.ts'
import { listOrderDeliveryItems } from './delivery/list-order-delivery-items.ts'
import { releaseDeliveryCommand } from './delivery/release-delivery-command.ts'
import { resendDeliveryCommands } from './delivery/resend-delivery-commands.ts'
import { revokeDeliveryItem } from './delivery/revoke-delivery-item.ts'
import { unqueueDeliveryCommands } from './delivery/unqueue-delivery-commands.ts'
import { updateGlobalCommand } from './delivery/update-global-command.ts'
import { listOrderEmails } from './emails/list-order-emails.ts'
import { resendOrderEmail } from './emails/resend-order-email.ts'
import { acknowledgeCommands } from './game-server-interface/acknowledge-commands.ts'
import { createGameServerEvents } from './game-server-interface/create-game-server-events.ts'
import { deleteQueuedCommand } from './game-server-interface/delete-queued-command.ts'
import { deleteQueuedCommands } from './game-server-interface/delete-queued-commands.ts'
import { linkGameServer } from './game-server-interface/link-game-server.ts'
import { listCommandQueue } from './game-server-interface/list-command-queue.ts'
import { pollCommandQueue } from './game-server-interface/poll-command-queue.ts'
import { createGameServer } from './game-servers/create-game-server.ts'
import { deleteGameServer } from './game-servers/delete-game-server.ts'
import { getGameServer } from './game-servers/get-game-server.ts'
import { listGameServers } from './game-servers/list-game-servers.ts'
import { resetGameServerToken } from './game-servers/reset-game-server-token.ts'
import { updateGameServer } from './game-servers/update-game-server.ts'
import { createRefund } from './orders/create-refund.ts'
import { getOrder } from './orders/get-order.ts'
import { getTaxReport } from './orders/get-tax-report.ts'
import { listOrderRefunds } from './orders/list-order-refunds.ts'
import { listOrders } from './orders/list-orders.ts'
import { listRefunds } from './orders/list-refunds.ts'
import { listTimeline } from './orders/list-timeline.ts'
import { getPaymentSettings } from './payments/get-payment-settings.ts'
import { listPayments } from './payments/list-payments.ts'
import { markPaymentPaid } from './payments/mark-payment-paid.ts'
import { updatePaymentSettings } from './payments/update-payment-settings.ts'
import { createProduct } from './products/create-product.ts'
import { deleteProduct } from './products/delete-product.ts'
import { getProduct } from './products/get-product.ts'
import { listProducts } from './products/list-products.ts'
import { updateProduct } from './products/update-product.ts'
import { searchDashboard } from './search/search-dashboard.ts'
import { getStoreSettings } from './store/get-store-settings.ts'
import { listTaxRates } from './store/list-tax-rates.ts'
import { updateStoreSettings } from './store/update-store-settings.ts'
import { cancelOwnSubscription } from './storefront/cancel-own-subscription.ts'
import { checkOutCart } from './storefront/check-out-cart.ts'
import { clearCart } from './storefront/clear-cart.ts'
import { getCart } from './storefront/get-cart.ts'
import { getCatalogProduct } from './storefront/get-catalog-product.ts'
import { getOwnOrder } from './storefront/get-own-order.ts'
import { getOwnSubscription } from './storefront/get-own-subscription.ts'
import { getSignedInCustomer } from './storefront/get-signed-in-customer.ts'
import { getStore } from './storefront/get-store.ts'
import { listCatalogProducts } from './storefront/list-catalog-products.ts'
import { listCatalogTags } from './storefront/list-catalog-tags.ts'
import { listOwnDeliveryItems } from './storefront/list-own-delivery-items.ts'
import { listOwnOrders } from './storefront/list-own-orders.ts'
import { listOwnSubscriptions } from './storefront/list-own-subscriptions.ts'
import { setCartLines } from './storefront/set-cart-lines.ts'
import { signIn } from './storefront/sign-in.ts'

import { cancelSubscription } from './subscriptions/cancel-subscription.ts'
import { getSubscription } from './subscriptions/get-subscription.ts'
import { listSubscriptions } from './subscriptions/list-subscriptions.ts'
import { createTag } from './tags/create-tag.ts'
import { deleteTag } from './tags/delete-tag.ts'
import { getTag } from './tags/get-tag.ts'
import { listTags } from './tags/list-tags.ts'
import { updateTag } from './tags/update-tag.ts'
import { createWebhookEndpoint } from './webhooks/create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from './webhooks/delete-webhook-endpoint.ts'
import { getDelivery } from './webhooks/get-delivery.ts'
import { getWebhookEndpoint } from './webhooks/get-webhook-endpoint.ts'
import { listDeliveries } from './webhooks/list-deliveries.ts'
import { listWebhookEndpoints } from './webhooks/list-webhook-endpoints.ts'
import { pingWebhookEndpoint } from './webhooks/ping-webhook-endpoint.ts'
import { resendDeliveries } from './webhooks/resend-deliveries.ts'
import { resendDelivery } from './webhooks/resend-delivery.ts'
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts'
import { updateWebhookEndpoint } from './webhooks/update-webhook-endpoint.ts'

/** Every endpoint. The router, the OpenAPI document and the tests are derived from this list. */
export const endpoints: readonly Endpoint[] = [
  getStoreSettings,
  updateStoreSettings,
  listTaxRates,
  listCustomers,
  createCustomer,
  getCustomer,
  updateCustomer,
  bulkCreateCustomers,
  lookupCustomer,
  mintToken,
  revokeTokens,
  createPortalSession,
  listBans,
  createBan,
  getBan,
  updateBan,
  deleteBan,
  checkBan,
  listCustomVariables,
  createCustomVariable,
  getCustomVariable,
  updateCustomVariable,
  deleteCustomVariable,
  listCoupons,
  createCoupon,
  getCoupon,
  updateCoupon,
  deleteCoupon,
  listAffiliateLinks,
  createAffiliateLink,
  getAffiliateLink,
  updateAffiliateLink,
  deleteAffiliateLink,
  listProducts,
  createProduct,
  getProduct,
  updateProduct,
  deleteProduct,
  listTags,
  createTag,
  getTag,
  updateTag,
  deleteTag,
  listCheckoutSessions,
  createCheckoutSession,
  getCheckoutSession,
  cancelCheckout,
  listOrders,
  getOrder,
  listOrderRefunds,
  createRefund,
  listRefunds,
  getTaxReport,
  listTimeline,
  listOrderEmails,
  resendOrderEmail,
  listGameServers,
  createGameServer,
  getGameServer,
  updateGameServer,
  deleteGameServer,
  resetGameServerToken,
  linkGameServer,
  listCommandQueue,
  pollCommandQueue,
  acknowledgeCommands,
  deleteQueuedCommands,
  deleteQueuedCommand,
  createGameServerEvents,
  listDeliveryItems,
  bulkCreateDeliveryItems,
  listCustomerDeliveryItems,
  createCustomerDeliveryItems,
  revokeDeliveryItem,
  listOrderDeliveryItems,
  listGameServerDeliveryItems,
  listCustomerDeliveryCommands,
  unqueueDeliveryCommands,
  releaseDeliveryCommand,
  resendDeliveryCommands,
  listGlobalCommands,
  createGlobalCommand,
  updateGlobalCommand,
  deleteGlobalCommand,
  listSubscriptions,
  getSubscription,
  cancelSubscription,
  listPayments,
  markPaymentPaid,
  getPaymentSettings,
  updatePaymentSettings,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  pingWebhookEndpoint,
  listDeliveries,
  getDelivery,
  resendDelivery,
  resendDeliveries,
  searchDashboard,
  getStore,
  listCatalogProducts,
  getCatalogProduct,
  listCatalogTags,
  getCart,
  setCartLines,
  clearCart,
  checkOutCart,
  getSignedInCustomer,
  listOwnDeliveryItems,
  listOwnOrders,
  getOwnOrder,
  listOwnSubscriptions,
  getOwnSubscription,
  cancelOwnSubscription,
  createCheckout,
  signIn,
]
