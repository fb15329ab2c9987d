import { ActorType } from '@storekeep/proto/common/v1/actor'

/**
 * Who may call what between processes: for each process that serves gRPC, its RPCs and the callers of each. Every server
 * rejects all other calls before their handler runs (decision 0020). A new RPC needs a line here, and a new caller also
 * needs an edge in deploy/topology.ts; tests compare the two and the protos.
 */
export const callRights: Readonly<Record<ServerName, ServerRights>> = {
  stores: {
    'storekeep.stores.v1.StoresService': {
      GetStore: ['gateway', 'customers', 'checkout', 'emails', 'pages'],
      GetStoreBySlug: ['pages'],
      VerifyApiKey: ['gateway', 'admin-tools'],
      CreateStore: ['admin-tools'],
      UpdateStore: ['gateway', 'admin-tools'],
      ListStores: ['admin-tools'],
      CreateApiKey: ['admin-tools'],
      ListApiKeys: ['admin-tools'],
      RevokeApiKey: ['admin-tools'],
    },
    ...operations(['admin-tools']),
    ...exportedTo([]),
  },
  customers: {
    'storekeep.customers.v1.CustomersService': {
      CreateCustomer: ['gateway'],
      BulkCreateCustomers: ['gateway'],
      GetCustomer: ['gateway', 'coupons', 'checkout'],
      BatchGetProfiles: ['emails', 'pages'],
      ListCustomers: ['gateway'],
      UpdateCustomer: ['gateway'],
      LookupCustomer: ['gateway'],
      FindOrCreateCustomer: ['checkout'],
      MintToken: ['gateway'],
      RevokeTokens: ['gateway'],
      RevokeStoreTokens: ['admin-tools'],
      VerifyToken: ['gateway', 'pages'],
      SignIn: ['gateway', 'pages'],
      GetSignInKey: ['gateway', 'pages'],
      StartSteamSignIn: ['pages'],
      SignInWithSteam: ['pages'],
      CreatePortalSession: ['gateway', 'emails'],
      ExchangePortalToken: ['pages'],
      GetPortalCustomer: ['orders', 'pages'],
      SignOutOfPortal: ['pages'],
    },
    ...operations(['admin-tools']),
    ...exportedTo(['search']),
  },
  bans: {
    'storekeep.bans.v1.BansService': {
      CreateBan: ['gateway'],
      GetBan: ['gateway'],
      ListBans: ['gateway'],
      UpdateBan: ['gateway'],
      DeleteBan: ['gateway'],
      CheckBan: ['gateway', 'checkout'],
    },
    ...operations(['admin-tools']),
    ...exportedTo(['search']),
  },
  'custom-variables': {
    'storekeep.custom_variables.v1.CustomVariablesService': {
      CreateCustomVariable: ['gateway'],
      GetCustomVariable: ['gateway'],
      ListCustomVariables: ['gateway', 'checkout', 'pages'],
      UpdateCustomVariable: ['gateway'],
      DeleteCustomVariable: ['gateway'],
      ResolveValues: ['checkout'],
    },
    // Consumes no events, so it has no dead letters.
    ...operations([]),
    ...exportedTo(['search']),
  },
  coupons: {
    'storekeep.coupons.v1.CouponsService': {
      CreateCoupon: ['gateway'],
      GetCoupon: ['gateway'],
      ListCoupons: ['gateway'],
      UpdateCoupon: ['gateway'],
      DeleteCoupon: ['gateway'],
    },
    'storekeep.coupons.v1.RedemptionsService': {
      ReserveCoupon: ['checkout'],
      ConfirmRedemption: ['checkout'],
      ReleaseRedemption: ['checkout'],
    },
    'storekeep.coupons.v1.AffiliateLinksService': {
      CreateAffiliateLink: ['gateway'],
      GetAffiliateLink: ['gateway'],
      ListAffiliateLinks: ['gateway'],
      UpdateAffiliateLink: ['gateway'],
      DeleteAffiliateLink: ['gateway'],
    },
    ...operations(['admin-tools']),
    ...exportedTo(['search']),
  },
  checkout: {
    'storekeep.checkout.v1.CheckoutService': {
      CreateCheckoutSession: ['gateway'],
      GetCheckoutSession: ['gateway', 'orders'],
      ListCheckoutSessions: ['gateway'],
      GetCheckoutByToken: ['orders'],
      PreparePayment: ['orders'],
      ApplyCoupon: ['pages'],
      UpdateCheckoutLines: ['pages'],
      SelectGameServer: ['pages'],
      RemoveCoupon: ['pages'],
      UpdateTaxDetails: ['pages'],
      DetermineTax: ['orders'],
      ListTaxRates: ['gateway'],
      ListRequiredProducts: ['pages'],
      ExtendCheckoutSession: ['orders'],
      CompleteCheckoutSession: ['orders'],
      CheckBuyer: ['orders'],
      CancelCheckoutSession: ['gateway', 'admin-tools'],
    },
    'storekeep.checkout.v1.ProductsService': {
      CreateProduct: ['gateway'],
      GetProduct: ['gateway'],
      ListProducts: ['gateway'],
      ListCatalogProducts: ['gateway', 'pages'],
      GetCatalogProduct: ['gateway', 'pages'],
      UpdateProduct: ['gateway'],
      DeleteProduct: ['gateway'],
    },
    'storekeep.checkout.v1.CartsService': {
      GetCart: ['gateway', 'pages'],
      SetCartLines: ['gateway', 'pages'],
      ClearCart: ['gateway', 'pages'],
      CheckOutCart: ['gateway', 'pages'],
    },
    'storekeep.checkout.v1.TagsService': {
      CreateTag: ['gateway'],
      GetTag: ['gateway'],
      ListTags: ['gateway', 'pages'],
      UpdateTag: ['gateway'],
      DeleteTag: ['gateway'],
    },
    ...operations(['admin-tools']),
    ...exportedTo(['search']),
  },
  orders: {
    'storekeep.orders.v1.OrdersService': {
      GetOrder: ['gateway', 'emails'],
      ListOrders: ['gateway', 'emails'],
      ListTimeline: ['gateway'],
      CreateRefund: ['gateway'],
      ListRefunds: ['gateway'],
      GetTaxReport: ['gateway'],
      ListCustomerOrders: ['pages'],
      GetCustomerOrder: ['pages'],
    },
    'storekeep.orders.v1.SubscriptionsService': {
      GetSubscription: ['gateway', 'emails'],
      ListSubscriptions: ['gateway'],
      CancelSubscription: ['gateway'],
      ListCustomerSubscriptions: ['pages'],
      GetCustomerSubscription: ['pages'],
      CancelCustomerSubscription: ['pages'],
      StartPaymentMethodUpdate: ['pages'],
      AdvanceTestSubscription: ['pages'],
    },
    'storekeep.orders.v1.PaymentsService': {
      ListPayments: ['gateway'],
      MarkPaymentPaid: ['gateway'],
      RecordPayment: ['admin-tools'],
      GetPaymentSettings: ['gateway'],
      UpdatePaymentSettings: ['gateway'],
      ListPaymentMethods: ['pages'],
      StartPayment: ['pages'],
      GetPaymentState: ['pages'],
      CheckWebhookReceiver: ['pages'],
      HandleWebhook: ['pages'],
      ActOnTestPayment: ['pages'],
    },
    // Consumes no events, so it has no dead letters.
    ...operations([]),
    ...exportedTo(['search']),
  },
  delivery: {
    'storekeep.delivery.v1.GameServersService': {
      CreateGameServer: ['gateway'],
      GetGameServer: ['gateway'],
      ListGameServers: ['gateway', 'checkout', 'pages'],
      UpdateGameServer: ['gateway'],
      DeleteGameServer: ['gateway'],
      ResetGameServerToken: ['gateway'],
      VerifyGameServerToken: ['gateway'],
      LinkGameServer: ['gateway'],
    },
    'storekeep.delivery.v1.GlobalCommandsService': {
      CreateGlobalCommand: ['gateway'],
      ListGlobalCommands: ['gateway'],
      UpdateGlobalCommand: ['gateway'],
      DeleteGlobalCommand: ['gateway'],
    },
    'storekeep.delivery.v1.DeliveryItemsService': {
      ListDeliveryItems: ['gateway'],
      ListItemStatuses: ['pages'],
      GrantDeliveryItems: ['gateway'],
      RevokeDeliveryItem: ['gateway'],
      ListCommandAttempts: ['gateway'],
      UnqueueCommands: ['gateway'],
      ReleaseCommand: ['gateway'],
      ResendCommands: ['gateway'],
      ListOwnedProducts: ['checkout'],
    },
    'storekeep.delivery.v1.CommandQueueService': {
      PollCommands: ['gateway'],
      AcknowledgeCommands: ['gateway'],
      RecordPlayerJoins: ['gateway'],
    },
    ...operations(['admin-tools']),
    ...exportedTo(['search']),
  },
  emails: {
    'storekeep.emails.v1.EmailsService': {
      ListEmails: ['gateway'],
      ResendEmail: ['gateway'],
    },
    ...operations(['admin-tools']),
    ...exportedTo([]),
  },
  webhooks: {
    'storekeep.webhooks.v1.WebhooksService': {
      CreateWebhookEndpoint: ['gateway'],
      GetWebhookEndpoint: ['gateway'],
      ListWebhookEndpoints: ['gateway'],
      UpdateWebhookEndpoint: ['gateway'],
      DeleteWebhookEndpoint: ['gateway'],
      RotateWebhookSecret: ['gateway'],
    },
    'storekeep.webhooks.v1.DeliveriesService': {
      PingWebhookEndpoint: ['gateway'],
      ListDeliveries: ['gateway'],
      GetDelivery: ['gateway'],
      ResendDelivery: ['gateway'],
      ResendDeliveries: ['gateway'],
    },
    'storekeep.webhooks.v1.ListeningService': {
      PullEvents: ['admin-tools'],
    },
    ...operations(['admin-tools']),
    ...exportedTo([]),
  },
  images: {
    'storekeep.images.v1.ImagesService': {
      GetImage: ['pages'],
    },
    ...operations(['admin-tools']),
    ...exportedTo([]),
  },
  search: {
    'storekeep.search.v1.SearchService': {
      Search: ['gateway'],
      StartRebuild: ['admin-tools'],
      GetRebuild: ['admin-tools'],
      VerifyRecords: ['admin-tools'],
    },
    ...operations(['admin-tools']),
    ...exportedTo([]),
  },
}

/**
 * The actors that each caller may name. Only the admin CLI names an admin; the gateway names the holder of the credential
 * that it has verified. A service in between passes on the actor of the call that it handles.
 */
export const callerActors: Readonly<Record<CallerName, readonly ActorType[]>> = {
  'admin-tools': [ActorType.ADMIN],
  gateway: [ActorType.ANONYMOUS, ActorType.API_KEY, ActorType.CUSTOMER, ActorType.GAME_SERVER],
  customers: passedOn(),
  coupons: passedOn(),
  checkout: [...passedOn(), ActorType.INTERNAL],
  orders: [...passedOn(), ActorType.INTERNAL],
  emails: [ActorType.INTERNAL],
  // The bearer of a checkout link is anonymous. Orders derives the customer of a portal session from its secret. The customer of a
  // store page holds a token, which pages has verified.
  pages: [ActorType.ANONYMOUS, ActorType.CUSTOMER],
  search: [ActorType.INTERNAL],
}

/** Every process that serves gRPC. */
export const serverNames = [
  'stores',
  'customers',
  'bans',
  'custom-variables',
  'coupons',
  'checkout',
  'orders',
  'delivery',
  'emails',
  'webhooks',
  'images',
  'search',
] as const
export type ServerName = (typeof serverNames)[number]

/** Every process that calls others. */
export const callerNames = [
  'gateway',
  'admin-tools',
  'customers',
  'coupons',
  'checkout',
  'orders',
  'emails',
  'search',
  'pages',
] as const
export type CallerName = (typeof callerNames)[number]

export type ProcessName = ServerName | CallerName

/** The RPCs of a process by full service name, and the callers of each. */
export type ServerRights = Readonly<Record<string, Readonly<Record<string, readonly CallerName[]>>>>

/** The paths that a caller may call at a server: "/storekeep.bans.v1.BansService/CheckBan". */
export function permittedPaths(server: ServerName, caller: CallerName): string[] {
  return rpcsOf(server).flatMap(({ path, callers }) => (callers.includes(caller) ? [path] : []))
}

/** Every RPC of a server with its callers. */
export function rpcsOf(server: ServerName): { path: string; callers: readonly CallerName[] }[] {
  return Object.entries(callRights[server]).flatMap(([service, rpcs]) =>
    Object.entries(rpcs).map(([rpc, callers]) => ({ path: `/${service}/${rpc}`, callers })),
  )
}

/** The processes that a caller has any right at. */
export function serversOf(caller: CallerName): ServerName[] {
  return serverNames.filter((server) => permittedPaths(server, caller).length > 0)
}

/** The processes that have any right at a server. */
export function callersOf(server: ServerName): CallerName[] {
  return callerNames.filter((caller) => permittedPaths(server, caller).length > 0)
}

/** The operator RPCs that every service offers. */
function operations(callers: readonly CallerName[]): ServerRights {
  return { 'storekeep.common.v1.OperationsService': { ReplayDeadLetters: callers } }
}

/** The RPCs for copies of a service's records, which every service offers. */
function exportedTo(callers: readonly CallerName[]): ServerRights {
  return { 'storekeep.common.v1.ExportService': { ExportRecords: callers, SumRecords: callers } }
}

function passedOn(): ActorType[] {
  return [ActorType.ANONYMOUS, ActorType.API_KEY, ActorType.CUSTOMER, ActorType.ADMIN]
}
