// Generated from the gateway's OpenAPI document by `npm run codegen`. Do not edit.

/** The body of a webhook request. `type` determines the type of `data`. */
export type WebhookEvent = PingEvent | CustomerCreatedEvent | CustomerUpdatedEvent | CustomerTokensRevokedEvent | StoreTokensRevokedEvent | PortalSessionCreatedEvent | BanCreatedEvent | BanUpdatedEvent | BanDeletedEvent | CustomVariableCreatedEvent | CustomVariableUpdatedEvent | CustomVariableDeletedEvent | CouponCreatedEvent | CouponUpdatedEvent | CouponDeletedEvent | AffiliateLinkCreatedEvent | AffiliateLinkUpdatedEvent | AffiliateLinkDeletedEvent | ProductCreatedEvent | ProductUpdatedEvent | ProductDeletedEvent | CheckoutSessionCreatedEvent | CheckoutSessionUpdatedEvent | CheckoutSessionCompletedEvent | CheckoutSessionCanceledEvent | CheckoutSessionExpiredEvent | OrderCreatedEvent | OrderRefundedEvent | OrderChargedBackEvent | OrderUpdatedEvent | SubscriptionCreatedEvent | SubscriptionRenewedEvent | SubscriptionUpdatedEvent | SubscriptionCanceledEvent | StoreUpdatedEvent | WebhookEndpointCreatedEvent | WebhookEndpointUpdatedEvent | WebhookEndpointDeletedEvent | WebhookEndpointDisabledEvent

/** A test event for one endpoint. */
export interface PingEvent {
    /** Type of the event. */
    type: "ping";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Ping;
}

/** Snowflake id: a decimal number from 1 to 9223372036854775807, always a JSON string. */
export type FlakeId = string

/** A test of a webhook endpoint. */
export interface Ping {
    /** Id of the store. */
    store_id: FlakeId;
    /** Id of the endpoint that is tested. */
    webhook_endpoint_id: FlakeId;
}

/** A customer was created. */
export interface CustomerCreatedEvent {
    /** Type of the event. */
    type: "customer.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Customer;
}

/** Platform of a profile; `service` for a customer without an account that has been looked up. */
export type CustomerProfilePlatform = "steam" | "minecraft" | "service"

/** How to show a customer. */
export interface CustomerProfile {
    /** Id of the account on its platform, or of the customer for `service`. */
    id: string;
    /** Platform that the profile comes from. */
    platform: CustomerProfilePlatform;
    /** Name to show. */
    name: string;
    /** URL of the avatar image. */
    avatar_url: string | null;
    /** True if nothing but a typed name identifies the customer, and anyone can sign in as them by typing it. False as soon as your server has set a `steam_id`, `minecraft_uuid` or `xbox_xuid`. */
    claimed: boolean;
}

/** An account on Steam or Minecraft. */
export interface PlatformAccount {
    /** Id of the account on its platform. */
    id: string;
    /** Display name of the account. */
    name: string;
    /** URL of the avatar image. */
    avatar_url: string | null;
}

/** Edition of a Minecraft account. */
export type MinecraftPlatform = "unknown" | "java" | "bedrock"

/** A person who buys in the store, known by at least one identity. */
export interface Customer {
    /** Id of the customer. */
    id: FlakeId;
    /** Id of the store that the customer belongs to. */
    store_id: FlakeId;
    /** How to show the customer, whatever the platform. */
    profile: CustomerProfile;
    /** SteamID64 of the customer; unique within the store. */
    steam_id: string | null;
    /** Steam account of the customer; null until it has been looked up. */
    steam: PlatformAccount | null;
    /**
     * Format: uuid
     * UUID of the Minecraft account, dashed and in lower case.
     */
    minecraft_uuid: string | null;
    /** Minecraft account of the customer; null until it has been looked up. For a claimed customer, the typed name. */
    minecraft: PlatformAccount | null;
    /** Xbox user id (XUID); unique within the store. Leading zeros are dropped. */
    xbox_xuid: string | null;
    /** Edition of the Minecraft account. */
    minecraft_platform: MinecraftPlatform | null;
    /** Name that the store gave the customer; never filled in from a profile. Names need not be unique. */
    name: string | null;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** When the record last changed; null if it never changed. */
    updated_at: string | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata: {
        [key: string]: string;
    };
}

/** A customer was changed, or their profile was looked up. */
export interface CustomerUpdatedEvent {
    /** Type of the event. */
    type: "customer.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Customer;
}

/** All tokens of a customer were revoked. */
export interface CustomerTokensRevokedEvent {
    /** Type of the event. */
    type: "customer.tokens_revoked";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Customer;
}

/** The tokens of all customers of the store were revoked. */
export interface StoreTokensRevokedEvent {
    /** Type of the event. */
    type: "store_tokens.revoked";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: StoreTokens;
}

/** The tokens of all customers of a store. */
export interface StoreTokens {
    /** Id of the store. */
    store_id: FlakeId;
}

/** A customer portal session was created. The event contains neither its token nor its URL. */
export interface PortalSessionCreatedEvent {
    /** Type of the event. */
    type: "portal_session.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CustomerPortalSessionRecord;
}

/** The page of the portal that a session opens. */
export interface PortalFlow {
    /** Opens the cancellation of a subscription. */
    subscription_cancel: PortalFlowSubscription | null;
    /** Opens the change of the payment method of a subscription. */
    subscription_payment_method_update: PortalFlowSubscription | null;
}

/** The subscription that a page of the portal is about. */
export interface PortalFlowSubscription {
    /** A subscription of the customer. With any other id, the link leads to a page that says so. */
    subscription_id: FlakeId;
}

/** A customer portal session, without its token and URL. */
export interface CustomerPortalSessionRecord {
    /** Id of the portal session. */
    id: FlakeId;
    /** Id of the store that the portal session belongs to. */
    store_id: FlakeId;
    /** The customer. */
    customer_id: FlakeId;
    /**
     * Format: date-time
     * When the session was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /**
     * Format: date-time
     * When the session expires.
     * @example 2026-11-20T14:35:17.000Z
     */
    expires_at: string;
    /** The requested flow; null when none was requested. */
    flow: PortalFlow | null;
    /** Where the portal sends the customer back to. */
    return_url: string | null;
}

/** A ban was created. */
export interface BanCreatedEvent {
    /** Type of the event. */
    type: "ban.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Ban;
}

/** One identity of a customer. */
export interface BanIdentity {
    /** Kind of identity. */
    ban_type: BanType;
    /** The identity: a SteamID64, IPv4 or IPv6 address, customer id, name (case-insensitive), e-mail address, UUID or XUID. Returned in canonical form; a name as it was given. */
    ban_type_value: string;
}

/** Kind of identity. No ban has the type `unknown`, and requests with it are refused. */
export type BanType = "unknown" | "steam" | "ip" | "customer" | "customer_name" | "email" | "minecraft_uuid" | "xbox_xuid"

/** Kind of actor. */
export type ActorType = "anonymous" | "user" | "api_key" | "customer" | "game_server" | "internal" | "admin" | "platform" | "global_customer"

/** Who created or changed a record. */
export interface Actor {
    /** Kind of actor. A call with an API key has the type `api_key`. */
    type: ActorType;
    /** Id of the actor, such as the API key; null for an actor without an id. */
    id: FlakeId | null;
}

/** A ban, which prevents customers with any of its identities from checking out. */
export interface Ban {
    /** Id of the ban. */
    id: FlakeId;
    /** Id of the store that the ban belongs to. */
    store_id: FlakeId;
    /** Internal reason, for your staff; never shown to a customer. */
    reason: string;
    /** `false` once the ban has expired. */
    enabled: boolean;
    /** Identities that the ban applies to. */
    identities: BanIdentity[];
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** Who last changed the record; null if it never changed. */
    updated_by: Actor | null;
    /** When the record last changed; null if it never changed. */
    updated_at: string | null;
    /** When the ban ends; null for a permanent ban. */
    expires_at: string | null;
}

/** A ban was changed. */
export interface BanUpdatedEvent {
    /** Type of the event. */
    type: "ban.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Ban;
}

/** A ban was deleted. `data` is its last state. */
export interface BanDeletedEvent {
    /** Type of the event. */
    type: "ban.deleted";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: BanDeletedEventData;
}

/** A ban that was deleted, in its last state. */
export type BanDeletedEventData = Ban & {
    /** Who deleted the record. */
    deleted_by: Actor;
}

/** A custom variable was created. */
export interface CustomVariableCreatedEvent {
    /** Type of the event. */
    type: "custom_variable.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CustomVariable;
}

/** Type of the answer: the value of an option, a text of 1 to 1024 characters, or a decimal number. */
export type CustomVariableType = "dropdown" | "text" | "number"

/** One option of a dropdown. */
export interface CustomVariableOption {
    /** Id of the option. */
    id: FlakeId;
    /** Id of the store that the option belongs to. */
    store_id: FlakeId;
    /** Id of the custom variable that the option belongs to. */
    custom_variable_id: FlakeId;
    /** Name shown to buyers. */
    name: string;
    /** Answer that chooses the option; unique among the options. */
    value: string;
    /**
     * Format: int64
     * Added to the price of the product; negative for a reduction.
     */
    price: number;
    /** Unit of `price`. */
    price_type: PriceType;
    /** Whether the option is chosen when a buyer gives no answer. At most one option can be the default. */
    is_default: boolean;
    /**
     * Format: int32
     * Position of the option in the list, from 0.
     */
    sort_order: number;
}

/** `fixed`: `price` is in the smallest unit of the currency; `percentage`: in permille of the product price. */
export type PriceType = "fixed" | "percentage"

/** A question that buyers answer when they buy a product. */
export interface CustomVariable {
    /** Id of the custom variable. */
    id: FlakeId;
    /** Id of the store that the custom variable belongs to. */
    store_id: FlakeId;
    /** Key of the answer in a checkout line: 1 to 64 letters, digits, `_` and `-`; unique within the store regardless of case. */
    identifier: string;
    /** Name shown to buyers. */
    name: string;
    /** Help text shown to buyers. Default: an empty string. */
    description: string;
    /** Type of the answer. */
    type: CustomVariableType;
    /** Pattern in RE2 syntax that answers must match, at most 512 characters; null for none. An answer matches when any part of it does; anchor the pattern with `^` and `$` to match the whole answer. Not allowed for a dropdown. */
    value_regex: string | null;
    /** Options of a dropdown, in display order; empty for other types. */
    options: CustomVariableOption[];
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** Who last changed the record; null if it never changed. */
    updated_by: Actor | null;
    /** When the record last changed; null if it never changed. */
    updated_at: string | null;
}

/** A custom variable was changed. */
export interface CustomVariableUpdatedEvent {
    /** Type of the event. */
    type: "custom_variable.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CustomVariable;
}

/** A custom variable was deleted. `data` is its last state. */
export interface CustomVariableDeletedEvent {
    /** Type of the event. */
    type: "custom_variable.deleted";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CustomVariableDeletedEventData;
}

/** A custom variable that was deleted, in its last state. */
export type CustomVariableDeletedEventData = CustomVariable & {
    /** Who deleted the record. */
    deleted_by: Actor;
}

/** A coupon was created. */
export interface CouponCreatedEvent {
    /** Type of the event. */
    type: "coupon.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Coupon;
}

/** How long a discount applies to a subscription: `once`, `forever`, or for a number of months or intervals. */
export type CouponDuration = "once" | "forever" | "repeating"

/** `percent` or `amount`. No coupon has the type `unspecified`, and requests with it are refused. */
export type CouponDiscountType = "unspecified" | "percent" | "amount"

/** A discount that buyers redeem with a code. */
export interface Coupon {
    /** Id of the coupon. */
    id: FlakeId;
    /** Id of the store that the coupon belongs to. */
    store_id: FlakeId;
    /** Id of this version of the coupon. Every change creates a new version. */
    version_id: FlakeId;
    /** Whether the coupon can be redeemed. */
    enabled: boolean;
    /** Code that buyers enter: 1 to 64 characters, unique within the store regardless of case. */
    code: string;
    /** Internal note, for your staff. */
    note: string | null;
    /** How long the discount applies to a subscription. `repeating` requires one of `duration_in_months` and `duration_in_intervals`. */
    duration: CouponDuration;
    /** Months for which a `repeating` discount applies; null for other durations. */
    duration_in_months: number | null;
    /** Billing intervals for which a `repeating` discount applies; null for other durations. */
    duration_in_intervals: number | null;
    /** Whether `discount_amount` is a percentage or an amount of money. */
    discount_type: CouponDiscountType;
    /**
     * Format: int64
     * In permille for `percent`, 1 to 1000 (125 is 12.5 %); in the smallest unit of the currency for `amount`, at least 1.
     */
    discount_amount: number;
    /** Whether an `amount` is deducted once per unit instead of once per order. */
    discount_apply_individually: boolean;
    /** Stored for later use: whether the discount applies before sales. There are no sales yet. */
    discount_apply_before_sales: boolean;
    /** Products that the coupon applies to, in addition to those with one of the tags. Without products and tags it applies to the whole order. */
    apply_to_products: FlakeId[] | null;
    /** Tags whose products the coupon applies to: opaque ids from your own system. */
    apply_to_tags: FlakeId[] | null;
    /** The only customer who can redeem the coupon; null for all customers. */
    usable_by_customer_id: FlakeId | null;
    /**
     * Format: int64
     * Minimum subtotal of the order, in the smallest unit of the currency.
     */
    minimum_order_value: number;
    /** Whether `redeem_limit_store_amount` applies. */
    redeem_limit_store_enabled: boolean;
    /**
     * Format: int64
     * Maximum number of redemptions in the store; at least 1 when the limit is enabled.
     */
    redeem_limit_store_amount: number;
    /** Whether `redeem_limit_customer_amount` applies. */
    redeem_limit_customer_enabled: boolean;
    /**
     * Format: int64
     * Maximum number of redemptions per customer; at least 1 when the limit is enabled.
     */
    redeem_limit_customer_amount: number;
    /** Whether the coupon applies to one-time purchases. This or `usable_on_subscription` must be true. */
    usable_on_one_time_purchase: boolean;
    /** Whether the coupon applies to subscriptions. */
    usable_on_subscription: boolean;
    /** When the coupon becomes redeemable; null for immediately. */
    usable_at: string | null;
    /** When the coupon stops being redeemable, later than `usable_at`; null for never. */
    expires_at: string | null;
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** Who last changed the record; null if it never changed. */
    updated_by: Actor | null;
    /** When the record last changed; null if it never changed. */
    updated_at: string | null;
}

/** A coupon was changed. */
export interface CouponUpdatedEvent {
    /** Type of the event. */
    type: "coupon.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Coupon;
}

/** A coupon was deleted. `data` is its last state. */
export interface CouponDeletedEvent {
    /** Type of the event. */
    type: "coupon.deleted";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CouponDeletedEventData;
}

/** A coupon that was deleted, in its last state. */
export type CouponDeletedEventData = Coupon & {
    /** Who deleted the record. */
    deleted_by: Actor;
}

/** An affiliate link was created. */
export interface AffiliateLinkCreatedEvent {
    /** Type of the event. */
    type: "affiliate_link.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: AffiliateLink;
}

/** `first_referer` or `last_referer`. No link has the type `invalid`, and requests with it are refused. */
export type RefererType = "first_referer" | "last_referer" | "invalid"

/** Whether an amount is in minor units (`fixed`), in permille (`percentage`), or not used (`none`). */
export type AffiliateAmountType = "none" | "fixed" | "percentage"

/** Commission for one billing cycle of a subscription. */
export interface CommissionAmountStep {
    /**
     * Format: int32
     * Billing cycle, counted from 1; unique among the steps.
     */
    billing_cycle_sequence: number;
    /**
     * Format: int64
     * Commission for this billing cycle, of the same type as `commission_amount`.
     */
    commission_amount: number;
}

/** A code that credits a partner with the sales it brings in. */
export interface AffiliateLink {
    /** Id of the affiliate link. */
    id: FlakeId;
    /** Id of the store that the affiliate link belongs to. */
    store_id: FlakeId;
    /** Payout account of the partner: an opaque id from your own system. */
    wallet_id: string;
    /** Whether the code can be used. Checkouts with a disabled code fail. */
    enabled: boolean;
    /** Code that buyers enter, unique within the store regardless of case: 1 to 64 letters, digits, `_` and `-`. */
    code: string;
    /** Which partner is credited when several links brought the buyer: the first or the last. */
    referer_type: RefererType;
    /**
     * Format: int32
     * Number of days for which a visit through the link is credited, up to 3650.
     */
    tracking_length_days: number;
    /** Whether the link applies to subscription lines. */
    apply_for_subscriptions: boolean;
    /** Type of the discount for the buyer. */
    discount_type: AffiliateAmountType;
    /**
     * Format: int64
     * Discount for the buyer. In minor units for `fixed`, in permille (0 to 1000) for `percentage`, 0 for `none`.
     */
    discount_amount: number;
    /** Type of the commission for the partner. */
    commission_type: AffiliateAmountType;
    /**
     * Format: int64
     * Commission for the partner. In minor units for `fixed`, in permille (0 to 1000) for `percentage`, 0 for `none`.
     */
    commission_amount: number;
    /** Commission for individual billing cycles of a subscription, at most 25 steps. */
    commission_amount_steps: CommissionAmountStep[];
    /** Whether the last step also applies to all later billing cycles. */
    last_commission_amount_step_repeats: boolean;
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** Who last changed the record; null if it never changed. */
    updated_by: Actor | null;
    /** When the record last changed; null if it never changed. */
    updated_at: string | null;
}

/** An affiliate link was changed. */
export interface AffiliateLinkUpdatedEvent {
    /** Type of the event. */
    type: "affiliate_link.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: AffiliateLink;
}

/** An affiliate link was deleted. `data` is its last state. */
export interface AffiliateLinkDeletedEvent {
    /** Type of the event. */
    type: "affiliate_link.deleted";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: AffiliateLinkDeletedEventData;
}

/** An affiliate link that was deleted, in its last state. */
export type AffiliateLinkDeletedEventData = AffiliateLink & {
    /** Who deleted the record. */
    deleted_by: Actor;
}

/** A product was created. */
export interface ProductCreatedEvent {
    /** Type of the event. */
    type: "product.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Product;
}

/** Unit of the length of a billing interval. */
export type SubscriptionIntervalScale = "day" | "week" | "month" | "year"

/** A product of the store. */
export interface Product {
    /** Id of the product. */
    id: FlakeId;
    /** Id of the store that the product belongs to. */
    store_id: FlakeId;
    /** Name of the product in URLs: letters, digits and single hyphens; unique within the store regardless of case. */
    slug: string | null;
    /** Name shown to buyers. */
    name: string;
    /** Description shown to buyers. */
    description: string | null;
    /** Short label shown on the product, such as "New". */
    label: string | null;
    /**
     * Format: int64
     * Price of one unit, in the smallest unit of the currency.
     */
    price: number;
    /** Whether the product can be bought once. This or `allow_subscription` must be true. */
    allow_one_time_purchase: boolean;
    /** Whether the product can be subscribed to. Requires a subscription interval. */
    allow_subscription: boolean;
    /** Length of the billing interval, in units of `subscription_interval_scale`: at most 365 days, 156 weeks, 36 months or 3 years. */
    subscription_interval_value: number | null;
    /** Unit of the billing interval. */
    subscription_interval_scale: SubscriptionIntervalScale | null;
    /** Tags for coupons to refer to: opaque ids from your own system; no endpoint issues them. */
    tags: FlakeId[];
    /** Custom variables that buyers answer when they buy the product. */
    custom_variable_ids: FlakeId[];
    /** Whether the product is hidden from the storefront. Stored and returned; no effect on checkouts. */
    is_hidden: boolean;
    /** Whether coupons exclude the product. */
    is_coupons_disabled: boolean;
    /** Whether the product cannot be bought as a gift. */
    is_gifting_disabled: boolean;
    /** Whether affiliate discounts exclude the product. */
    is_affiliate_links_disabled: boolean;
    /** When the sale starts; null for immediately. */
    enabled_at: string | null;
    /** When the sale ends; null for never. */
    enabled_until: string | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata: {
        [key: string]: string;
    };
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** Who last changed the record; null if it never changed. */
    updated_by: Actor | null;
    /** When the record last changed; null if it never changed. */
    updated_at: string | null;
}

/** A product was changed. */
export interface ProductUpdatedEvent {
    /** Type of the event. */
    type: "product.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Product;
}

/** A product was deleted. `data` is its last state. */
export interface ProductDeletedEvent {
    /** Type of the event. */
    type: "product.deleted";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: ProductDeletedEventData;
}

/** A product that was deleted, in its last state. */
export type ProductDeletedEventData = Product & {
    /** Who deleted the record. */
    deleted_by: Actor;
}

/** A checkout session was created. */
export interface CheckoutSessionCreatedEvent {
    /** Type of the event. */
    type: "checkout_session.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CheckoutSession;
}

/** `open` until the session is paid, cancelled, or expired after 24 hours. */
export type CheckoutSessionStatus = "open" | "completed" | "canceled" | "expired"

/** One line of a checkout session, with its price. */
export interface CheckoutSessionLine {
    /** The product; null for an inline product. */
    product_id: FlakeId | null;
    /** Name of the product when the session was created. */
    name: string;
    /**
     * Format: int32
     * Number of units.
     */
    quantity: number;
    /**
     * Format: int64
     * Price of one unit, including the chosen options; never below 0.
     */
    unit_price: number;
    /**
     * Format: int64
     * Part of `unit_price` that the chosen options add; negative for a reduction.
     */
    options_amount: number;
    /**
     * Format: int64
     * Coupon discount on the whole line.
     */
    discount_amount: number;
    /**
     * Format: int64
     * Price of the line after the coupon discount.
     */
    total_amount: number;
    /** Whether the line is a subscription. */
    subscription: boolean;
    /** The recipient of a gift, found or created from `gift_to`. */
    gift_to_customer_id: FlakeId | null;
    /** Game server to deliver to: an id from your own system. */
    selected_gameserver_id: FlakeId | null;
    /** How the income of the line is shared. */
    payout_splits: PayoutSplit[];
    /** Answers of the buyer, by identifier of the custom variable. */
    custom_variables: {
        [key: string]: string;
    };
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata: {
        [key: string]: string;
    };
}

/** Share of one payout account. */
export interface PayoutSplit {
    /** Payout account: an id from your own system. */
    payout_id: string;
    /** Share in basis points; null for the remainder. */
    percentage: number | null;
    /** Platform fee in basis points. */
    platform_fee: number | null;
}

/** How the subscription lines of a session renew. */
export interface SubscriptionTerms {
    /**
     * Format: int32
     * Length of every period, in units of `interval_scale`.
     */
    interval_value: number;
    /** Unit of the length. */
    interval_scale: SubscriptionIntervalScale;
    /** How many periods the coupon discounts, counting the first; null for all of them. */
    discounted_periods: number | null;
}

/** A priced order that a customer can pay. Amounts are in the smallest unit of the currency. */
export interface CheckoutSession {
    /** Id of the checkout session. */
    id: FlakeId;
    /** Id of the store that the checkout session belongs to. */
    store_id: FlakeId;
    /** The customer who buys. */
    customer_id: FlakeId;
    /** State of the session. */
    status: CheckoutSessionStatus;
    /** Currency of all amounts: lower-case ISO 4217. */
    currency: string;
    /** The lines, in the order of the request. */
    lines: CheckoutSessionLine[];
    /** The applied coupon. */
    coupon_id: FlakeId | null;
    /** The applied affiliate link. */
    affiliate_link_id: FlakeId | null;
    /**
     * Format: int64
     * Sum of the lines before discounts.
     */
    subtotal_amount: number;
    /**
     * Format: int64
     * Discount from the coupon.
     */
    coupon_discount_amount: number;
    /**
     * Format: int64
     * Discount from the affiliate link.
     */
    affiliate_discount_amount: number;
    /**
     * Format: int64
     * Sum of both discounts.
     */
    discount_amount: number;
    /**
     * Format: int64
     * Amount to pay.
     */
    total_amount: number;
    /** How the subscription lines renew; null without such lines. */
    subscription: SubscriptionTerms | null;
    /** Where the customer is sent after paying. */
    return_url: string | null;
    /** Where the customer is sent after cancelling. */
    cancel_url: string | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata: {
        [key: string]: string;
    };
    /**
     * Format: date-time
     * When an open session expires: 24 hours after its creation, 14 days if a payment is processing.
     * @example 2026-11-20T14:35:17.000Z
     */
    expires_at: string;
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** When the session was paid. */
    completed_at: string | null;
    /** When the session was cancelled. */
    canceled_at: string | null;
}

/** The billing details of a checkout session were changed, or the session was extended. */
export interface CheckoutSessionUpdatedEvent {
    /** Type of the event. */
    type: "checkout_session.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CheckoutSession;
}

/** A checkout session was paid. */
export interface CheckoutSessionCompletedEvent {
    /** Type of the event. */
    type: "checkout_session.completed";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CheckoutSession;
}

/** A checkout session was cancelled. */
export interface CheckoutSessionCanceledEvent {
    /** Type of the event. */
    type: "checkout_session.canceled";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CheckoutSession;
}

/** A checkout session expired before it was paid. */
export interface CheckoutSessionExpiredEvent {
    /** Type of the event. */
    type: "checkout_session.expired";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: CheckoutSession;
}

/** A checkout session was paid, or a subscription renewed. `billing_details` is always null here; get the order to read them. */
export interface OrderCreatedEvent {
    /** Type of the event. */
    type: "order.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Order;
}

/** `charged_back` while the payer disputes the payment, and if the payer has won. */
export type OrderStatus = "paid" | "partially_refunded" | "refunded" | "charged_back"

/** Who collects the money. `free`: nothing had to be paid. */
export type PaymentProvider = "stripe" | "manual" | "test" | "free"

/** The payment of an order. */
export interface OrderPayment {
    /** Id of the payment. */
    id: FlakeId;
    /** Who collected the money. */
    provider: PaymentProvider;
    /** The payment at the provider, such as a payment intent of Stripe. */
    provider_reference: string | null;
}

/** A period of a subscription. */
export interface SubscriptionPeriod {
    /**
     * Format: date-time
     * When the period begins.
     * @example 2026-11-20T14:35:17.000Z
     */
    start: string;
    /**
     * Format: date-time
     * When the period ends.
     * @example 2026-11-20T14:35:17.000Z
     */
    end: string;
}

/** Billing details that the customer gave. */
export interface OrderBillingDetails {
    /** Name on the invoice. */
    billing_name: string | null;
    /** E-mail address of the customer. */
    billing_email: string | null;
    /** Tax id on the invoice. */
    billing_tax_id: string | null;
    /** Address on the invoice. */
    billing_address: BillingAddress | null;
}

/** Address on an invoice. */
export interface BillingAddress {
    /** ISO 3166-1 alpha-2 code. */
    country: string | null;
    /** State, province or region. */
    state: string | null;
    /** City or town. */
    city: string | null;
    /** Postal code. */
    postal_code: string | null;
    /** First address line. */
    line_1: string | null;
    /** Second address line. */
    line_2: string | null;
}

/** A paid checkout session, or a renewal of a subscription. Amounts are in the smallest unit of the currency. */
export interface Order {
    /** Id of the order. */
    id: FlakeId;
    /** Id of the store that the order belongs to. */
    store_id: FlakeId;
    /**
     * Format: int64
     * Number of the order in the store: 1, 2, 3 and so on.
     */
    number: number;
    /** The checkout session that was paid, or that started the renewed subscription. */
    checkout_id: FlakeId;
    /** The customer who bought. */
    customer_id: FlakeId;
    /** State of the order. */
    status: OrderStatus;
    /** Currency of all amounts: lower-case ISO 4217. */
    currency: string;
    /** The lines, as in the checkout session. */
    lines: CheckoutSessionLine[];
    /** The applied coupon. */
    coupon_id: FlakeId | null;
    /** The applied affiliate link. */
    affiliate_link_id: FlakeId | null;
    /**
     * Format: int64
     * Sum of the lines before discounts.
     */
    subtotal_amount: number;
    /**
     * Format: int64
     * Discount from the coupon.
     */
    coupon_discount_amount: number;
    /**
     * Format: int64
     * Discount from the affiliate link.
     */
    affiliate_discount_amount: number;
    /**
     * Format: int64
     * Sum of both discounts.
     */
    discount_amount: number;
    /**
     * Format: int64
     * Amount that was paid.
     */
    total_amount: number;
    /**
     * Format: int64
     * Sum of all refunds that succeeded.
     */
    refunded_amount: number;
    /** The payment that completed the checkout session. */
    payment: OrderPayment;
    /** The subscription that the order starts or renews. */
    subscription_id: FlakeId | null;
    /** The period of the subscription that the order pays. */
    subscription_period: SubscriptionPeriod | null;
    /** Billing details that the customer gave. */
    billing_details: OrderBillingDetails | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata: {
        [key: string]: string;
    };
    /**
     * Format: date-time
     * When the order was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** When the order last changed; null if it never changed. */
    updated_at: string | null;
}

/** A refund succeeded. `billing_details` is always null here; get the order to read them. */
export interface OrderRefundedEvent {
    /** Type of the event. */
    type: "order.refunded";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: OrderRefundedEventData;
}

/** Units of one line of an order. */
export interface RefundLine {
    /**
     * Format: int32
     * Position of the line in the order, starting at 1.
     */
    position: number;
    /**
     * Format: int32
     * Number of units.
     */
    quantity: number;
}

/** `pending` until the payment provider has made or rejected the refund. */
export type RefundStatus = "pending" | "succeeded" | "failed"

/** Money returned to the payer of an order. */
export interface Refund {
    /** Id of the refund. */
    id: FlakeId;
    /** Id of the store that the refund belongs to. */
    store_id: FlakeId;
    /** The payment whose money is returned. */
    payment_id: FlakeId;
    /** The order. */
    order_id: FlakeId | null;
    /**
     * Format: int64
     * Amount that is returned.
     */
    amount: number;
    /** The units that are refunded; empty for a refund by amount. */
    lines: RefundLine[];
    /** Internal reason, for your staff. */
    reason: string | null;
    /** State of the refund. */
    status: RefundStatus;
    /** Why the refund failed, in the words of the provider. */
    failure_reason: string | null;
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
}

/** An order with the refund that succeeded. */
export type OrderRefundedEventData = Order & {
    /** The refund. */
    refund: Refund;
}

/** The payer disputed the payment of an order. `billing_details` is always null here; get the order to read them. */
export interface OrderChargedBackEvent {
    /** Type of the event. */
    type: "order.charged_back";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Order;
}

/** A dispute was won, or a refund failed after it had succeeded. `billing_details` is always null here; get the order to read them. */
export interface OrderUpdatedEvent {
    /** Type of the event. */
    type: "order.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Order;
}

/** A subscription started. */
export interface SubscriptionCreatedEvent {
    /** Type of the event. */
    type: "subscription.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Subscription;
}

/** `past_due` after a renewal could not be paid; the payment provider may try again. `canceled` is final. */
export type SubscriptionStatus = "active" | "past_due" | "canceled"

/** `requested` by the customer, by your staff or at the payment provider; `banned`: the customer is banned; `payment_failed`: the provider stopped trying to collect a renewal. */
export type CancellationReason = "requested" | "banned" | "payment_failed"

/** Subscription lines that renew together. Every paid period is an order. */
export interface Subscription {
    /** Id of the subscription. */
    id: FlakeId;
    /** Id of the store that the subscription belongs to. */
    store_id: FlakeId;
    /** The customer who pays. */
    customer_id: FlakeId;
    /** The checkout session that started the subscription. */
    checkout_id: FlakeId;
    /** State of the subscription. */
    status: SubscriptionStatus;
    /** Currency of all amounts: lower-case ISO 4217. */
    currency: string;
    /** The subscription lines of the session. Later changes of products do not change them. */
    lines: CheckoutSessionLine[];
    /** The applied coupon. */
    coupon_id: FlakeId | null;
    /**
     * Format: int32
     * Length of every period, in units of `interval_scale`.
     */
    interval_value: number;
    /** Unit of the length. */
    interval_scale: SubscriptionIntervalScale;
    /** How many periods the coupon discounts, counting the first; null for all of them. */
    discounted_periods: number | null;
    /** Who collects the renewals. */
    provider: PaymentProvider;
    /** The subscription at the provider. */
    provider_reference: string | null;
    /**
     * Format: int32
     * Number of periods that were paid.
     */
    paid_periods: number;
    /**
     * Format: date-time
     * When the latest paid period began.
     * @example 2026-11-20T14:35:17.000Z
     */
    current_period_start: string;
    /**
     * Format: date-time
     * When the latest paid period ends.
     * @example 2026-11-20T14:35:17.000Z
     */
    current_period_end: string;
    /**
     * Format: int64
     * What the next renewal costs.
     */
    renewal_amount: number;
    /** Whether the subscription ends with its current period. */
    cancel_at_period_end: boolean;
    /** Why it ends or has ended; null if it renews. */
    cancellation_reason: CancellationReason | null;
    /** When the subscription ended. */
    canceled_at: string | null;
    /**
     * Format: date-time
     * When the subscription started.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** When the subscription last changed; null if it never changed. */
    updated_at: string | null;
}

/** Another period of a subscription was paid. */
export interface SubscriptionRenewedEvent {
    /** Type of the event. */
    type: "subscription.renewed";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: SubscriptionRenewedEventData;
}

/** A subscription with the order that renewed it. */
export type SubscriptionRenewedEventData = Subscription & {
    /** The order of the period. */
    order_id: FlakeId;
}

/** The period of a subscription, or whether it renews, was changed; or a renewal could not be paid. */
export interface SubscriptionUpdatedEvent {
    /** Type of the event. */
    type: "subscription.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Subscription;
}

/** A subscription ended. */
export interface SubscriptionCanceledEvent {
    /** Type of the event. */
    type: "subscription.canceled";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Subscription;
}

/** The store was changed. */
export interface StoreUpdatedEvent {
    /** Type of the event. */
    type: "store.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: Store;
}

/** Game that a store sells for. */
export type Game = "rust" | "minecraft" | "minecraft_offline" | "minecraft_geyser"

/** Public data of a store. */
export interface Store {
    /** Id of the store. */
    id: FlakeId;
    /** Unique name of the store in URLs. */
    slug: string;
    /** Name of the store. */
    name: string;
    /** Game that the store sells for. It determines how buyers sign in. */
    game: Game;
    /** Currency of all prices: lower-case ISO 4217. */
    currency: string;
    /** URL of the logo. */
    logo_url: string | null;
    /** URL of the square logo. */
    logo_square_url: string | null;
}

/** A webhook endpoint was created. */
export interface WebhookEndpointCreatedEvent {
    /** Type of the event. */
    type: "webhook_endpoint.created";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: WebhookEndpoint;
}

/** `standard`: signed JSON with the record. `discord`: a message for a webhook of a Discord channel. */
export type WebhookFormat = "standard" | "discord"

/** `failing`: all attempts failed for five days, ten or more. `gone`: the receiver responded 410. */
export type WebhookDisabledReason = "failing" | "gone"

/** A URL of your own server that receives events of the store. */
export interface WebhookEndpoint {
    /** Id of the webhook endpoint. */
    id: FlakeId;
    /** Id of the store that the webhook endpoint belongs to. */
    store_id: FlakeId;
    /** Where events are sent with POST. https, with a public address; the operator of Storekeep can allow others. */
    url: string;
    /** Types of the events to send, or only `*` for all, including those of later releases. */
    event_types: WebhookEventFilter[];
    /** Whether events are sent. Events that occur while the endpoint is disabled are not sent later. Enabling it clears `disabled_reason` and `failing_since`. */
    enabled: boolean;
    /** Your own note. An empty string if unset. */
    description: string;
    /** Form of the requests. */
    format: WebhookFormat;
    /** Additional request headers, such as `Authorization`. Their values are secrets: responses contain `********` instead, and an update with that value keeps the stored one. */
    headers: {
        [key: string]: string;
    };
    /** Why Storekeep disabled the endpoint; null if it is enabled, or if you disabled it. */
    disabled_reason: WebhookDisabledReason | null;
    /** When the first of the consecutive failed attempts was made; null after a success. Starts again after 36 hours without an attempt. */
    failing_since: string | null;
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** Who last changed the record; null if it never changed. */
    updated_by: Actor | null;
    /** When the record last changed; null if it never changed. */
    updated_at: string | null;
}

/** A webhook endpoint was changed. */
export interface WebhookEndpointUpdatedEvent {
    /** Type of the event. */
    type: "webhook_endpoint.updated";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: WebhookEndpoint;
}

/** A webhook endpoint was deleted. `data` is its last state. */
export interface WebhookEndpointDeletedEvent {
    /** Type of the event. */
    type: "webhook_endpoint.deleted";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: WebhookEndpointDeletedEventData;
}

/** A webhook endpoint that was deleted, in its last state. */
export type WebhookEndpointDeletedEventData = WebhookEndpoint & {
    /** Who deleted the record. */
    deleted_by: Actor;
}

/** Storekeep disabled a webhook endpoint. The other endpoints of the store receive this event. */
export interface WebhookEndpointDisabledEvent {
    /** Type of the event. */
    type: "webhook_endpoint.disabled";
    /**
     * Format: date-time
     * When the change happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    timestamp: string;
    /** The record after the change. */
    data: WebhookEndpoint;
}

/** Type of an event: the record and what happened to it. */
export type WebhookEventType = "customer.created" | "customer.updated" | "customer.tokens_revoked" | "store_tokens.revoked" | "portal_session.created" | "ban.created" | "ban.updated" | "ban.deleted" | "custom_variable.created" | "custom_variable.updated" | "custom_variable.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "affiliate_link.created" | "affiliate_link.updated" | "affiliate_link.deleted" | "product.created" | "product.updated" | "product.deleted" | "checkout_session.created" | "checkout_session.updated" | "checkout_session.completed" | "checkout_session.canceled" | "checkout_session.expired" | "order.created" | "order.refunded" | "order.charged_back" | "order.updated" | "subscription.created" | "subscription.renewed" | "subscription.updated" | "subscription.canceled" | "store.updated" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.disabled"

/** A new customer, or changes to one. A customer needs at least one of `steam_id`, `minecraft_uuid`, `xbox_xuid` and `name`. */
export interface UpsertCustomerRequest {
    /** SteamID64 of the customer; unique within the store. */
    steam_id?: SteamId | null;
    /** UUID of the Minecraft account; unique within the store. Accepted with or without dashes, in any case. */
    minecraft_uuid?: string | null;
    /** Edition of the Minecraft account. */
    minecraft_platform?: MinecraftPlatform | null;
    /** Xbox user id (XUID); unique within the store. Leading zeros are dropped. */
    xbox_xuid?: string | null;
    /** Name that the store gave the customer; never filled in from a profile. Names need not be unique. */
    name?: string | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata?: {
        [key: string]: string;
    } | null;
}

/** SteamID64 from 76561197960265729 to 76561202255233023. A JSON number with the same digits is accepted too. */
export type SteamId = string

/** A new portal session. */
export interface CreateCustomerPortalSessionRequest {
    /** Page of the portal to open: at most one flow. Without it the portal opens on its overview. */
    flow?: PortalFlowInput | null;
    /** Lifetime of the session as an ISO 8601 duration from PT1M to P7D. Default: PT1H. */
    expires_in?: string | null;
    /** Where the portal sends the customer back to. */
    return_url?: string | null;
}

/** The page of the portal to open: at most one flow. */
export interface PortalFlowInput {
    /** Opens the cancellation of a subscription. */
    subscription_cancel?: PortalFlowSubscription | null;
    /** Opens the change of the payment method of a subscription. */
    subscription_payment_method_update?: PortalFlowSubscription | null;
}

/** A new ban, or changes to a ban. A new ban needs an identity. */
export interface UpsertBanRequest {
    /** Internal reason, for your staff; never shown to a customer. Default: an empty string. */
    reason?: string | null;
    /** Identities to ban, 1 to 100. Required on create; an update replaces the whole list. */
    identities?: BanIdentity[] | null;
    /** When the ban ends by itself; null or omitted on create for a permanent ban. */
    expires_at?: string | null;
}

/** Identities of one person. */
export interface CheckForBanIDByIdentitiesRequest {
    /** Identities to check, at most 100. */
    identities: BanIdentity[];
}

/** One option of a dropdown. */
export interface CustomVariableOptionInput {
    /** Id of an existing option to keep; omit it to add a new option. */
    id?: FlakeId;
    /** Name shown to buyers. */
    name: string;
    /** Answer that chooses the option; unique among the options. */
    value: string;
    /**
     * Format: int64
     * Added to the price of the product; negative for a reduction. A percentage from -1000 to 10000.
     */
    price: number;
    /** Unit of `price`. */
    price_type: PriceType;
    /** Whether the option is chosen when a buyer gives no answer. At most one option can be the default. */
    is_default: boolean;
}

/** A new custom variable, or changes to one. A new one needs an identifier, a name and a type, and a dropdown its options. */
export interface UpsertCustomVariableRequest {
    /** Key of the answer in a checkout line: 1 to 64 letters, digits, `_` and `-`; unique within the store regardless of case. */
    identifier?: string;
    /** Name shown to buyers. */
    name?: string;
    /** Help text shown to buyers. Default: an empty string. */
    description?: string | null;
    /** Type of the answer. */
    type?: CustomVariableType;
    /** Pattern in RE2 syntax that answers must match, at most 512 characters; null for none. An answer matches when any part of it does; anchor the pattern with `^` and `$` to match the whole answer. Not allowed for a dropdown. */
    value_regex?: string | null;
    /** Options of a dropdown, 1 to 100, in display order; not allowed for other types. An update replaces the whole list: options that are not in it are deleted. */
    options?: CustomVariableOptionInput[];
}

/** `active`: enabled, started and not expired; `inactive`: the others; `all`: both. */
export type CouponFilterStatus = "all" | "active" | "inactive"

/** `generated`: created by the system itself; `manual`: created by anyone else; `all`: both. */
export type CouponFilterType = "all" | "manual" | "generated"

/** A new coupon. Only the code and the discount are required. */
export interface CreateCoupon {
    /** Code that buyers enter: 1 to 64 characters, unique within the store regardless of case. */
    code: string;
    /** Whether `discount_amount` is a percentage or an amount of money. */
    discount_type: CouponDiscountType;
    /**
     * Format: int64
     * In permille for `percent`, 1 to 1000 (125 is 12.5 %); in the smallest unit of the currency for `amount`, at least 1.
     */
    discount_amount: number;
    /** Whether the coupon can be redeemed. Default on create: true. */
    enabled?: boolean;
    /** How long the discount applies to a subscription. `repeating` requires one of `duration_in_months` and `duration_in_intervals`. Default on create: `once`. */
    duration?: CouponDuration;
    /** Whether an `amount` is deducted once per unit instead of once per order. Default on create: false. */
    discount_apply_individually?: boolean;
    /** Stored for later use: whether the discount applies before sales. There are no sales yet. Default on create: false. */
    discount_apply_before_sales?: boolean;
    /**
     * Format: int64
     * Minimum subtotal of the order, in the smallest unit of the currency. Default on create: 0.
     */
    minimum_order_value?: number;
    /** Whether `redeem_limit_store_amount` applies. Default on create: false. */
    redeem_limit_store_enabled?: boolean;
    /**
     * Format: int64
     * Maximum number of redemptions in the store; at least 1 when the limit is enabled. Default on create: 0.
     */
    redeem_limit_store_amount?: number;
    /** Whether `redeem_limit_customer_amount` applies. Default on create: false. */
    redeem_limit_customer_enabled?: boolean;
    /**
     * Format: int64
     * Maximum number of redemptions per customer; at least 1 when the limit is enabled. Default on create: 0.
     */
    redeem_limit_customer_amount?: number;
    /** Whether the coupon applies to one-time purchases. This or `usable_on_subscription` must be true. Default on create: true. */
    usable_on_one_time_purchase?: boolean;
    /** Whether the coupon applies to subscriptions. Default on create: true. */
    usable_on_subscription?: boolean;
    /** Internal note, for your staff. */
    note?: string | null;
    /** Months for which a `repeating` discount applies; null for other durations. */
    duration_in_months?: number | null;
    /** Billing intervals for which a `repeating` discount applies; null for other durations. */
    duration_in_intervals?: number | null;
    /** Products that the coupon applies to, in addition to those with one of the tags. Without products and tags it applies to the whole order. */
    apply_to_products?: FlakeId[] | null;
    /** Tags whose products the coupon applies to: opaque ids from your own system. */
    apply_to_tags?: FlakeId[] | null;
    /** The only customer who can redeem the coupon; null for all customers. */
    usable_by_customer_id?: FlakeId | null;
    /** When the coupon becomes redeemable; null for immediately. */
    usable_at?: string | null;
    /** When the coupon stops being redeemable, later than `usable_at`; null for never. */
    expires_at?: string | null;
}

/** Changes to a coupon. Omitted fields are left unchanged; null clears a nullable field. */
export interface UpdateCoupon {
    /** Code that buyers enter: 1 to 64 characters, unique within the store regardless of case. */
    code?: string;
    /** Whether `discount_amount` is a percentage or an amount of money. */
    discount_type?: CouponDiscountType;
    /**
     * Format: int64
     * In permille for `percent`, 1 to 1000 (125 is 12.5 %); in the smallest unit of the currency for `amount`, at least 1.
     */
    discount_amount?: number;
    /** Whether the coupon can be redeemed. Default on create: true. */
    enabled?: boolean;
    /** How long the discount applies to a subscription. `repeating` requires one of `duration_in_months` and `duration_in_intervals`. Default on create: `once`. */
    duration?: CouponDuration;
    /** Whether an `amount` is deducted once per unit instead of once per order. Default on create: false. */
    discount_apply_individually?: boolean;
    /** Stored for later use: whether the discount applies before sales. There are no sales yet. Default on create: false. */
    discount_apply_before_sales?: boolean;
    /**
     * Format: int64
     * Minimum subtotal of the order, in the smallest unit of the currency. Default on create: 0.
     */
    minimum_order_value?: number;
    /** Whether `redeem_limit_store_amount` applies. Default on create: false. */
    redeem_limit_store_enabled?: boolean;
    /**
     * Format: int64
     * Maximum number of redemptions in the store; at least 1 when the limit is enabled. Default on create: 0.
     */
    redeem_limit_store_amount?: number;
    /** Whether `redeem_limit_customer_amount` applies. Default on create: false. */
    redeem_limit_customer_enabled?: boolean;
    /**
     * Format: int64
     * Maximum number of redemptions per customer; at least 1 when the limit is enabled. Default on create: 0.
     */
    redeem_limit_customer_amount?: number;
    /** Whether the coupon applies to one-time purchases. This or `usable_on_subscription` must be true. Default on create: true. */
    usable_on_one_time_purchase?: boolean;
    /** Whether the coupon applies to subscriptions. Default on create: true. */
    usable_on_subscription?: boolean;
    /** Internal note, for your staff. */
    note?: string | null;
    /** Months for which a `repeating` discount applies; null for other durations. */
    duration_in_months?: number | null;
    /** Billing intervals for which a `repeating` discount applies; null for other durations. */
    duration_in_intervals?: number | null;
    /** Products that the coupon applies to, in addition to those with one of the tags. Without products and tags it applies to the whole order. */
    apply_to_products?: FlakeId[] | null;
    /** Tags whose products the coupon applies to: opaque ids from your own system. */
    apply_to_tags?: FlakeId[] | null;
    /** The only customer who can redeem the coupon; null for all customers. */
    usable_by_customer_id?: FlakeId | null;
    /** When the coupon becomes redeemable; null for immediately. */
    usable_at?: string | null;
    /** When the coupon stops being redeemable, later than `usable_at`; null for never. */
    expires_at?: string | null;
}

/** A new affiliate link. */
export interface CreateAffiliateLink {
    /** Payout account of the partner: an opaque id from your own system. */
    wallet_id: string;
    /** Whether the code can be used. Checkouts with a disabled code fail. */
    enabled: boolean;
    /** Code that buyers enter, unique within the store regardless of case: 1 to 64 letters, digits, `_` and `-`. */
    code: string;
    /** Which partner is credited when several links brought the buyer: the first or the last. */
    referer_type: RefererType;
    /**
     * Format: int32
     * Number of days for which a visit through the link is credited, up to 3650.
     */
    tracking_length_days: number;
    /** Whether the link applies to subscription lines. */
    apply_for_subscriptions: boolean;
    /** Type of the discount for the buyer. */
    discount_type: AffiliateAmountType;
    /**
     * Format: int64
     * Discount for the buyer. In minor units for `fixed`, in permille (0 to 1000) for `percentage`, 0 for `none`.
     */
    discount_amount: number;
    /** Type of the commission for the partner. */
    commission_type: AffiliateAmountType;
    /**
     * Format: int64
     * Commission for the partner. In minor units for `fixed`, in permille (0 to 1000) for `percentage`, 0 for `none`.
     */
    commission_amount: number;
    /** Commission for individual billing cycles of a subscription, at most 25 steps. Default: none. */
    commission_amount_steps?: CommissionAmountStep[];
    /** Whether the last step also applies to all later billing cycles. Default: false. */
    last_commission_amount_step_repeats?: boolean;
}

/** Changes to an affiliate link. Omitted fields are left unchanged; no field accepts null. */
export interface UpdateAffiliateLink {
    /** Payout account of the partner: an opaque id from your own system. */
    wallet_id?: string;
    /** Whether the code can be used. Checkouts with a disabled code fail. */
    enabled?: boolean;
    /** Code that buyers enter, unique within the store regardless of case: 1 to 64 letters, digits, `_` and `-`. */
    code?: string;
    /** Which partner is credited when several links brought the buyer: the first or the last. */
    referer_type?: RefererType;
    /**
     * Format: int32
     * Number of days for which a visit through the link is credited, up to 3650.
     */
    tracking_length_days?: number;
    /** Whether the link applies to subscription lines. */
    apply_for_subscriptions?: boolean;
    /** Type of the discount for the buyer. */
    discount_type?: AffiliateAmountType;
    /**
     * Format: int64
     * Discount for the buyer. In minor units for `fixed`, in permille (0 to 1000) for `percentage`, 0 for `none`.
     */
    discount_amount?: number;
    /** Type of the commission for the partner. */
    commission_type?: AffiliateAmountType;
    /**
     * Format: int64
     * Commission for the partner. In minor units for `fixed`, in permille (0 to 1000) for `percentage`, 0 for `none`.
     */
    commission_amount?: number;
    /** Commission for individual billing cycles of a subscription, at most 25 steps. */
    commission_amount_steps?: CommissionAmountStep[];
    /** Whether the last step also applies to all later billing cycles. */
    last_commission_amount_step_repeats?: boolean;
}

/** What is sold, and on which terms. Settings that have no effect in Storekeep, such as stock limits, trials, commands and game servers, are refused with the item code `unsupported` unless they are null, false, 0 or empty. */
export interface CreateProduct {
    /** Name of the product in URLs: letters, digits and single hyphens; unique within the store regardless of case. */
    slug?: string | null;
    /** Name shown to buyers. */
    name: string;
    /** Description shown to buyers. */
    description?: string | null;
    /** Short label shown on the product, such as "New". */
    label?: string | null;
    /**
     * Format: int64
     * Price of one unit, in the smallest unit of the currency.
     */
    price: number;
    /** Whether the product can be bought once. This or `allow_subscription` must be true. Default: true. */
    allow_one_time_purchase?: boolean | null;
    /** Whether the product can be subscribed to. Requires a subscription interval. Default: false. */
    allow_subscription?: boolean | null;
    /** Length of the billing interval, in units of `subscription_interval_scale`: at most 365 days, 156 weeks, 36 months or 3 years. */
    subscription_interval_value?: number | null;
    /** Unit of the billing interval. */
    subscription_interval_scale?: SubscriptionIntervalScale | null;
    /** Tags for coupons to refer to: opaque ids from your own system; no endpoint issues them. */
    tags?: FlakeId[] | null;
    /** Custom variables that buyers answer when they buy the product. */
    custom_variable_ids?: FlakeId[] | null;
    /** Whether the product is hidden from the storefront. Stored and returned; no effect on checkouts. Default: false. */
    is_hidden?: boolean | null;
    /** Whether coupons exclude the product. Default: false. */
    is_coupons_disabled?: boolean | null;
    /** Whether the product cannot be bought as a gift. Default: false. */
    is_gifting_disabled?: boolean | null;
    /** Whether affiliate discounts exclude the product. Default: false. */
    is_affiliate_links_disabled?: boolean | null;
    /** When the sale starts; null for immediately. */
    enabled_at?: string | null;
    /** When the sale ends; null for never. */
    enabled_until?: string | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata?: {
        [key: string]: string;
    } | null;
}

/** Changes to a product. Omitted fields are left unchanged; null clears a nullable field. Settings that have no effect in Storekeep, such as stock limits, trials, commands and game servers, are refused with the item code `unsupported` unless they are null, false, 0 or empty. */
export interface UpdateProduct {
    /** Name of the product in URLs: letters, digits and single hyphens; unique within the store regardless of case. */
    slug?: string | null;
    /** Name shown to buyers. */
    name?: string;
    /** Description shown to buyers. */
    description?: string | null;
    /** Short label shown on the product, such as "New". */
    label?: string | null;
    /**
     * Format: int64
     * Price of one unit, in the smallest unit of the currency.
     */
    price?: number;
    /** Whether the product can be bought once. This or `allow_subscription` must be true. */
    allow_one_time_purchase?: boolean;
    /** Whether the product can be subscribed to. Requires a subscription interval. */
    allow_subscription?: boolean;
    /** Length of the billing interval, in units of `subscription_interval_scale`: at most 365 days, 156 weeks, 36 months or 3 years. */
    subscription_interval_value?: number | null;
    /** Unit of the billing interval. */
    subscription_interval_scale?: SubscriptionIntervalScale | null;
    /** Tags for coupons to refer to: opaque ids from your own system; no endpoint issues them. */
    tags?: FlakeId[] | null;
    /** Custom variables that buyers answer when they buy the product. */
    custom_variable_ids?: FlakeId[] | null;
    /** Whether the product is hidden from the storefront. Stored and returned; no effect on checkouts. */
    is_hidden?: boolean;
    /** Whether coupons exclude the product. */
    is_coupons_disabled?: boolean;
    /** Whether the product cannot be bought as a gift. */
    is_gifting_disabled?: boolean;
    /** Whether affiliate discounts exclude the product. */
    is_affiliate_links_disabled?: boolean;
    /** When the sale starts; null for immediately. */
    enabled_at?: string | null;
    /** When the sale ends; null for never. */
    enabled_until?: string | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata?: {
        [key: string]: string;
    } | null;
}

/** A new checkout session. */
export interface CreateCheckoutSessionManagement {
    /** 1 to 100 lines to buy. */
    lines: CreateCheckoutSessionLine[];
    /** The customer who buys. */
    customer_id: FlakeId;
    /** Coupon to apply, instead of a coupon code in `promo_codes`. */
    coupon_id?: FlakeId | null;
    /** Coupon and affiliate codes: at most one coupon and one affiliate link. An invalid code fails the request. */
    promo_codes?: string[] | null;
    /** Affiliate code. An invalid code is ignored. */
    affiliate_code?: string | null;
    /** Where the customer is sent after paying. */
    return_url?: string | null;
    /** Where the customer is sent after cancelling. */
    cancel_url?: string | null;
    /** Redirects to `return_url` right after the payment. Requires `return_url`. */
    auto_redirect?: boolean | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata?: {
        [key: string]: string;
    } | null;
    /** Billing details of the customer. */
    customer_details?: CheckoutCustomerDetails | null;
}

/** What to buy, how many, and for whom. */
export interface CreateCheckoutSessionLine {
    /**
     * Format: int32
     * Number of units, 1 to 1000.
     */
    quantity: number;
    /** Product to buy. Exactly one of `product_id` and `inline_product` is required. */
    product_id?: FlakeId | null;
    /** A product that is not stored, defined for this line only. */
    inline_product?: CreateProduct | null;
    /** Buys the product as a subscription instead of once. Cannot be combined with a gift. */
    subscription?: boolean | null;
    /** Trials are not supported yet: true is refused with the item code `unsupported`. */
    trial?: boolean | null;
    /** The recipient. Created as a customer if unknown, except with the platforms `service` and `service_name`. */
    gift_to?: GiftTo | null;
    /** The recipient, by customer id. Cannot be combined with `gift_to`. */
    gift_to_customer_id?: FlakeId | null;
    /** Game server to deliver to: an opaque id from your own system, stored and returned unchanged. */
    selected_gameserver_id?: FlakeId | null;
    /** Answers to the custom variables of the product, by identifier. */
    custom_variables?: {
        [key: string]: string;
    } | null;
    /** Your own key-value data: at most 50 keys of at most 64 characters, values of at most 500. */
    metadata?: {
        [key: string]: string;
    } | null;
    /** How the income of the line is shared between payout accounts. */
    payout_splits?: PayoutSplitInput[] | null;
}

/** The recipient of a gift. */
export interface GiftTo {
    /** What `id` is. `service`: a customer id; `service_name`: the `name` of a customer; `minecraft`: a Java or Bedrock name; otherwise the identity that the platform names. `paynow` and `paynow_name` are other names of `service` and `service_name`. */
    platform: GiftPlatform;
    /** Identity of the recipient on that platform. */
    id: string;
}

/** Kind of identity of the recipient of a gift. */
export type GiftPlatform = "service" | "service_name" | "steam" | "minecraft" | "minecraft_uuid" | "minecraft_java_name" | "minecraft_bedrock_name" | "xbox_xuid" | "paynow" | "paynow_name"

/** Share of one payout account. */
export interface PayoutSplitInput {
    /** Payout account: an opaque id from your own system. */
    payout_id: string;
    /** Share in basis points. May be null in the last split only, which then receives the remainder. */
    percentage?: number | null;
    /** Platform fee in basis points. */
    platform_fee?: number | null;
}

/** Billing details of the customer. */
export interface CheckoutCustomerDetails {
    /** Name on the invoice. */
    billing_name?: string | null;
    /** E-mail address of the customer. Also checked against the bans of the store. */
    billing_email?: string | null;
    /** Tax id on the invoice, such as a VAT number. */
    billing_tax_id?: string | null;
    /** Address on the invoice. */
    billing_address?: BillingAddressInput | null;
}

/** Address on an invoice. */
export interface BillingAddressInput {
    /** ISO 3166-1 alpha-2 code, such as `DE`. */
    country?: string | null;
    /** State, province or region. */
    state?: string | null;
    /** City or town. */
    city?: string | null;
    /** Postal code. */
    postal_code?: string | null;
    /** First address line, such as street and number. */
    line_1?: string | null;
    /** Second address line. */
    line_2?: string | null;
}

/** A refund of an order: everything that is left, an amount, or units of lines. */
export interface CreateRefund {
    /** Amount to refund. Omit it, and `lines`, to refund everything that is left. */
    amount?: number | null;
    /** Units to refund, at their share of what was paid. Cannot be combined with `amount`. */
    lines?: RefundLine[] | null;
    /** Internal reason, for your staff. */
    reason?: string | null;
}

/** When a subscription ends. */
export interface CancelSubscription {
    /** Ends the subscription now. Otherwise it ends with its current period, or now if it is past due. */
    now?: boolean | null;
}

/** `processing` while the money is on its way, such as with a bank transfer. */
export type PaymentStatus = "pending" | "processing" | "succeeded" | "failed" | "canceled"

/** Changes to the payment settings. */
export interface UpdatePaymentSettings {
    /** How customers can pay. A provider needs its settings below. */
    enabled_providers?: OfferedPaymentProvider[] | null;
    /** Shown to customers who pay manually. Required for `manual`. */
    manual_instructions?: string | null;
    /** Secret or restricted key of Stripe. Required for `stripe`; never returned. */
    stripe_secret_key?: string | null;
    /** Signing secret of the Stripe webhook (`whsec_…`). Required for `stripe`; never returned. */
    stripe_webhook_secret?: string | null;
    /** Whether the customer of an order that is charged back is banned. */
    ban_on_chargeback?: boolean | null;
}

/** `manual`: bank transfer or cash. `test`: simulated payments, only where the installation allows them. */
export type OfferedPaymentProvider = "stripe" | "manual" | "test"

/** A new webhook endpoint. */
export interface CreateWebhookEndpoint {
    /**
     * Format: uri
     * Where events are sent with POST. https, with a public address; the operator of Storekeep can allow others.
     * @example https://shop.example.com/hooks/storekeep
     */
    url: string;
    /** Types of the events to send, or only `*` for all, including those of later releases. */
    event_types: WebhookEventFilter[];
    /** Whether events are sent. Events that occur while the endpoint is disabled are not sent later. Enabling it clears `disabled_reason` and `failing_since`. Default: true. */
    enabled?: boolean;
    /** Your own note. An empty string if unset. */
    description?: string;
    /** Form of the requests. Default: `standard`. */
    format?: WebhookFormat;
    /** Additional request headers, such as `Authorization`. Their values are secrets: responses contain `********` instead, and an update with that value keeps the stored one. At most 20; an update replaces all of them. */
    headers?: {
        [key: string]: string;
    };
}

/** Type of an event to send: the record and what happened to it. `*` is every type. */
export type WebhookEventFilter = "*" | "customer.created" | "customer.updated" | "customer.tokens_revoked" | "store_tokens.revoked" | "portal_session.created" | "ban.created" | "ban.updated" | "ban.deleted" | "custom_variable.created" | "custom_variable.updated" | "custom_variable.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "affiliate_link.created" | "affiliate_link.updated" | "affiliate_link.deleted" | "product.created" | "product.updated" | "product.deleted" | "checkout_session.created" | "checkout_session.updated" | "checkout_session.completed" | "checkout_session.canceled" | "checkout_session.expired" | "order.created" | "order.refunded" | "order.charged_back" | "order.updated" | "subscription.created" | "subscription.renewed" | "subscription.updated" | "subscription.canceled" | "store.updated" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.disabled"

/** Changes to a webhook endpoint. Omitted fields are left unchanged; no field accepts null. */
export interface UpdateWebhookEndpoint {
    /**
     * Format: uri
     * Where events are sent with POST. https, with a public address; the operator of Storekeep can allow others.
     * @example https://shop.example.com/hooks/storekeep
     */
    url?: string;
    /** Types of the events to send, or only `*` for all, including those of later releases. */
    event_types?: WebhookEventFilter[];
    /** Whether events are sent. Events that occur while the endpoint is disabled are not sent later. Enabling it clears `disabled_reason` and `failing_since`. */
    enabled?: boolean;
    /** Your own note. An empty string if unset. */
    description?: string;
    /** Form of the requests. */
    format?: WebhookFormat;
    /** Additional request headers, such as `Authorization`. Their values are secrets: responses contain `********` instead, and an update with that value keeps the stored one. At most 20; an update replaces all of them. */
    headers?: {
        [key: string]: string;
    };
}

/** How to replace a signing secret. */
export interface RotateWebhookSecret {
    /**
     * Format: int32
     * How long requests are signed with the earlier secrets too, 604800 (a week) at most; 0 ends them at once. Default: 86400 (a day).
     */
    overlap_seconds?: number;
}

/** `pending` while an attempt is due or scheduled. `failed` once no attempt is left, or because the endpoint was disabled. */
export type WebhookDeliveryStatus = "pending" | "succeeded" | "failed"

/** Which deliveries to resend. */
export interface ResendWebhookDeliveries {
    /**
     * Format: date-time
     * Resends events that were first scheduled for the endpoint at or after this time …
     * @example 2026-11-20T14:35:17.000Z
     */
    since: string;
    /**
     * Format: date-time
     * … and before this one.
     * @example 2026-11-20T14:35:17.000Z
     */
    until: string;
    /** Only these event types. Default: all. */
    event_types?: string[];
    /** Only events that were not delivered, neither at first nor since. Default: false. */
    only_failed?: boolean;
    /** Continues behind this delivery: the `next_after` of the previous response. */
    after?: FlakeId;
}

/** Values that a record must contain. All given hints must match; empty hints are ignored. */
export interface SearchHints {
    /** Customer id. Finds the customer, its checkout sessions and orders, bans of the customer and coupons restricted to it. */
    customer_id?: FlakeId;
    /** SteamID64. Finds customers and bans. */
    steam_id?: string;
    /** Minecraft UUID. Finds customers and bans. */
    minecraft_uuid?: string;
    /** Xbox user id (XUID). Finds customers and bans. */
    xbox_xuid?: string;
    /** Code, case-insensitive. Finds coupons and affiliate links. */
    code?: string;
    /** Whole name, ignoring case and accents. Finds customers, bans, custom variables and products. */
    name?: string;
    /** E-mail address. Finds bans, and checkout sessions and orders by their billing e-mail address. */
    email?: string;
    /** IPv4 or IPv6 address. Finds bans. */
    ip?: string;
}

/** Type of record; `unknown` for no restriction. */
export type DashboardSearchResultType = "unknown" | "customer" | "ban" | "coupon" | "affiliate_link" | "custom_variable" | "checkout_session" | "product" | "order"

/** A typed Minecraft name. */
export interface SignInRequest {
    /** Type of the name. With `minecraft`, the store settings decide between Java and Bedrock. */
    platform: SignInPlatform;
    /** The name of the player. */
    id: string;
}

/** Kind of identity at a sign-in. */
export type SignInPlatform = "minecraft" | "minecraft_java_name" | "minecraft_bedrock_name" | "steam" | "minecraft_uuid" | "xbox_xuid"

/** Body of every response that is not a success. */
export interface ServiceError {
    /**
     * Format: int32
     * The HTTP status of the response.
     */
    status: number;
    /** Stable error code, for programs. The list is closed. */
    code: ErrorCode;
    /** What went wrong, in English, for people. The text may change. */
    message: string;
    /** W3C trace id of the request. Include it when you report a problem. */
    trace_id: string | null;
    /** The invalid fields; null when the error is not about fields. */
    errors: ValidationError[] | null;
}

/** Stable error code. */
export type ErrorCode = "bad-request" | "validation-failed" | "unauthorized" | "forbidden" | "customer-banned" | "platform-not-allowed" | "not-found" | "method-not-allowed" | "conflict" | "payload-too-large" | "unsupported-media-type" | "idempotency-mismatch" | "too-many-requests" | "internal-error" | "service-unavailable"

/** One invalid field of the request. */
export interface ValidationError {
    /** Stable reason. Equals `validation` unless there is a more specific one. */
    code: string;
    /** What is wrong and what is expected, in English. */
    message: string;
    /** Dotted path of the field, such as `lines.0.quantity`; empty for the whole body. */
    path: string;
    /** Kind of check that failed. */
    validation: ValidationKind;
}

/** Kind of check. */
export type ValidationKind = "required" | "type" | "enum" | "format" | "min" | "max" | "length" | "pattern" | "unique" | "exclusive" | "reference"

/** A token of the customer. */
export interface CustomerTokenResponse {
    /** Secret token for the `Authorization: Customer <token>` header. */
    token: string;
}

/** A temporary link to the customer portal. */
export interface CustomerPortalSession {
    /** Id of the portal session. */
    id: FlakeId;
    /** Id of the store that the portal session belongs to. */
    store_id: FlakeId;
    /** The customer. */
    customer_id: FlakeId;
    /**
     * Format: date-time
     * When the session was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /**
     * Format: date-time
     * When the session expires.
     * @example 2026-11-20T14:35:17.000Z
     */
    expires_at: string;
    /** The requested flow; null when none was requested. */
    flow: PortalFlow | null;
    /** Where the portal sends the customer back to. */
    return_url: string | null;
    /** Secret token of the session. */
    token: string;
    /** URL to send the customer to. It contains the token. */
    url: string;
}

/** Result of a ban check. */
export interface CheckForBanIDByIdentitiesResponse {
    /** Whether a ban applies to any of the identities. */
    is_banned: boolean;
    /** Id of the ban; null when none applies. */
    ban_id: FlakeId | null;
}

/** Where the customer pays. */
export interface CreateCheckoutSessionResponse {
    /** Id of the checkout session. */
    id: FlakeId;
    /** Secret token of the session. */
    token: string;
    /** URL to send the customer to. It contains the token. */
    url: string;
}

/** Something that happened to an order. */
export interface OrderTimelineEntry {
    /** Id of the entry. */
    id: FlakeId;
    /** What happened. */
    kind: OrderTimelineKind;
    /** The payment. */
    payment_id: FlakeId | null;
    /** The refund, for entries about one. */
    refund_id: FlakeId | null;
    /** Amount of the payment, refund or dispute. */
    amount: number | null;
    /** Who did it; `internal` for Storekeep and the payment provider. */
    actor: Actor;
    /**
     * Format: date-time
     * When it happened.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
}

/** What happened to the order. `marked_paid`: your staff confirmed a manual payment. */
export type OrderTimelineKind = "paid" | "marked_paid" | "refund_requested" | "refund_succeeded" | "refund_failed" | "charged_back" | "chargeback_reversed"

/** One attempt to pay a checkout session. */
export interface Payment {
    /** Id of the payment. */
    id: FlakeId;
    /** Id of the store that the payment belongs to. */
    store_id: FlakeId;
    /** The checkout session that is paid. */
    checkout_id: FlakeId;
    /** The customer of the checkout session. */
    customer_id: FlakeId;
    /** Who collects the money. */
    provider: PaymentProvider;
    /** The payment at the provider. */
    provider_reference: string | null;
    /** State of the payment. */
    status: PaymentStatus;
    /** What happened to the money. */
    settlement: PaymentSettlement;
    /**
     * Format: int64
     * Amount to pay, or the amount that was received.
     */
    amount: number;
    /** Lower-case ISO 4217. */
    currency: string;
    /** The order that the payment completed. */
    order_id: FlakeId | null;
    /** Why the payment failed, in the words of the provider. */
    failure_reason: string | null;
    /**
     * Format: date-time
     * When the customer started to pay.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** When the money was received. */
    succeeded_at: string | null;
}

/** What happened to the money of a payment that succeeded: `completed` if there is an order; `refunded` if the checkout session had expired, was cancelled or was paid otherwise. */
export type PaymentSettlement = "none" | "pending" | "completed" | "refunding" | "refunded"

/** How the store is paid. */
export interface PaymentSettings {
    /** How customers can pay, in the order in which it is offered. */
    enabled_providers: OfferedPaymentProvider[];
    /** Shown to customers who pay manually. */
    manual_instructions: string | null;
    /** Whether a secret key of Stripe is set. The key is never returned. */
    has_stripe_secret_key: boolean;
    /** Whether the signing secret of a Stripe webhook is set. */
    has_stripe_webhook_secret: boolean;
    /** Whether the customer of an order that is charged back is banned. */
    ban_on_chargeback: boolean;
}

/** A webhook endpoint with its new signing secret. */
export interface WebhookEndpointWithSecret {
    /** Id of the webhook endpoint. */
    id: FlakeId;
    /** Id of the store that the webhook endpoint belongs to. */
    store_id: FlakeId;
    /** Where events are sent with POST. https, with a public address; the operator of Storekeep can allow others. */
    url: string;
    /** Types of the events to send, or only `*` for all, including those of later releases. */
    event_types: WebhookEventFilter[];
    /** Whether events are sent. Events that occur while the endpoint is disabled are not sent later. Enabling it clears `disabled_reason` and `failing_since`. */
    enabled: boolean;
    /** Your own note. An empty string if unset. */
    description: string;
    /** Form of the requests. */
    format: WebhookFormat;
    /** Additional request headers, such as `Authorization`. Their values are secrets: responses contain `********` instead, and an update with that value keeps the stored one. */
    headers: {
        [key: string]: string;
    };
    /** Why Storekeep disabled the endpoint; null if it is enabled, or if you disabled it. */
    disabled_reason: WebhookDisabledReason | null;
    /** When the first of the consecutive failed attempts was made; null after a success. Starts again after 36 hours without an attempt. */
    failing_since: string | null;
    /** Who created the record. */
    created_by: Actor;
    /**
     * Format: date-time
     * When the record was created.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** Who last changed the record; null if it never changed. */
    updated_by: Actor | null;
    /** When the record last changed; null if it never changed. */
    updated_at: string | null;
    /** Secret that verifies the signatures of requests: `whsec_` and 32 bytes in base64. It is not returned again. */
    secret: string;
}

/** An event on its way to a webhook endpoint. Kept for 30 days. */
export interface WebhookDelivery {
    /** Id of the delivery. */
    id: FlakeId;
    /** Id of the store that the delivery belongs to. */
    store_id: FlakeId;
    /** The endpoint. */
    webhook_endpoint_id: FlakeId;
    /** The `webhook-id` of the requests: the same for every attempt and every endpoint. */
    event_id: string;
    /** Type of the event, such as `ban.created`, or `ping`. */
    event_type: string;
    /** State of the delivery. */
    status: WebhookDeliveryStatus;
    /**
     * Format: int32
     * Number of requests that were sent.
     */
    attempt_count: number;
    /** When the next request is sent; null during a request, while an earlier delivery of the record is pending, and once the delivery has ended. */
    next_attempt_at: string | null;
    /** HTTP status of the last response; null if there was none. */
    response_status: number | null;
    /** Why the last attempt failed; null if it succeeded. */
    error: string | null;
    /**
     * Format: date-time
     * When the delivery was scheduled.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** When the delivery ended; null while attempts remain. */
    completed_at: string | null;
}

/** A delivery with its requests and responses. */
export interface WebhookDeliveryDetails {
    /** Id of the delivery. */
    id: FlakeId;
    /** Id of the store that the delivery belongs to. */
    store_id: FlakeId;
    /** The endpoint. */
    webhook_endpoint_id: FlakeId;
    /** The `webhook-id` of the requests: the same for every attempt and every endpoint. */
    event_id: string;
    /** Type of the event, such as `ban.created`, or `ping`. */
    event_type: string;
    /** State of the delivery. */
    status: WebhookDeliveryStatus;
    /**
     * Format: int32
     * Number of requests that were sent.
     */
    attempt_count: number;
    /** When the next request is sent; null during a request, while an earlier delivery of the record is pending, and once the delivery has ended. */
    next_attempt_at: string | null;
    /** HTTP status of the last response; null if there was none. */
    response_status: number | null;
    /** Why the last attempt failed; null if it succeeded. */
    error: string | null;
    /**
     * Format: date-time
     * When the delivery was scheduled.
     * @example 2026-11-20T14:35:17.000Z
     */
    created_at: string;
    /** When the delivery ended; null while attempts remain. */
    completed_at: string | null;
    /** Body of the requests, in the current format of the endpoint. */
    request_body: string;
    /** The requests, oldest first. */
    attempts: WebhookAttempt[];
}

/** One request of a delivery. */
export interface WebhookAttempt {
    /**
     * Format: date-time
     * When the request was sent.
     * @example 2026-11-20T14:35:17.000Z
     */
    started_at: string;
    /**
     * Format: int32
     * How long the attempt took.
     */
    duration_ms: number;
    /** Headers of the request, with the values of your own headers masked. */
    request_headers: {
        [key: string]: string;
    };
    /** HTTP status of the response; null if there was none. */
    response_status: number | null;
    /** Headers of the response. */
    response_headers: {
        [key: string]: string;
    };
    /** The first 4 KiB of the response; null if there was none. */
    response_body: string | null;
    /** Why the attempt failed; null if it succeeded. */
    error: string | null;
}

/** What is resent. */
export interface ResendWebhookDeliveriesResponse {
    /**
     * Format: int32
     * Number of deliveries that were scheduled.
     */
    scheduled: number;
    /** The `after` of the next request; null if no event remains. */
    next_after: FlakeId | null;
}

/** Search results. */
export interface SearchDashboardResponse {
    /** The matching records of this page. */
    results: SearchResult[];
    /** Number of matches by type, whatever the page or `search_result_type`. Exact, except for the types in `facets_at_least`. */
    facets: SearchFacets;
    /** The types whose counting stopped, so there can be more matches: at 10,000 matches, or after 2,000 candidates that must be checked one by one, which are the records with the rarest of several words, or half as many that contain a word of the query within another word. */
    facets_at_least: SearchedRecord[];
}

/** One match. The record is in the field named like its `type`. */
export type SearchResult = CustomerSearchResult | BanSearchResult | CouponSearchResult | AffiliateLinkSearchResult | CustomVariableSearchResult | CheckoutSessionSearchResult | ProductSearchResult | OrderSearchResult

/** A matching customer. */
export interface CustomerSearchResult {
    /** Type of the record, and the name of the field that contains it. */
    type: "customer";
    /** Id of the record. */
    id: FlakeId;
    /**
     * Format: int32
     * Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, 10 with a typo. With several words the lowest counts; 0 without a query.
     */
    score: number;
    /** The customer. */
    customer: Customer;
}

/** A matching ban. */
export interface BanSearchResult {
    /** Type of the record, and the name of the field that contains it. */
    type: "ban";
    /** Id of the record. */
    id: FlakeId;
    /**
     * Format: int32
     * Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, 10 with a typo. With several words the lowest counts; 0 without a query.
     */
    score: number;
    /** The ban. */
    ban: Ban;
}

/** A matching coupon. */
export interface CouponSearchResult {
    /** Type of the record, and the name of the field that contains it. */
    type: "coupon";
    /** Id of the record. */
    id: FlakeId;
    /**
     * Format: int32
     * Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, 10 with a typo. With several words the lowest counts; 0 without a query.
     */
    score: number;
    /** The coupon. */
    coupon: Coupon;
}

/** A matching affiliate link. */
export interface AffiliateLinkSearchResult {
    /** Type of the record, and the name of the field that contains it. */
    type: "affiliate_link";
    /** Id of the record. */
    id: FlakeId;
    /**
     * Format: int32
     * Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, 10 with a typo. With several words the lowest counts; 0 without a query.
     */
    score: number;
    /** The affiliate link. */
    affiliate_link: AffiliateLink;
}

/** A matching custom variable. */
export interface CustomVariableSearchResult {
    /** Type of the record, and the name of the field that contains it. */
    type: "custom_variable";
    /** Id of the record. */
    id: FlakeId;
    /**
     * Format: int32
     * Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, 10 with a typo. With several words the lowest counts; 0 without a query.
     */
    score: number;
    /** The custom variable. */
    custom_variable: CustomVariable;
}

/** A matching checkout session. */
export interface CheckoutSessionSearchResult {
    /** Type of the record, and the name of the field that contains it. */
    type: "checkout_session";
    /** Id of the record. */
    id: FlakeId;
    /**
     * Format: int32
     * Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, 10 with a typo. With several words the lowest counts; 0 without a query.
     */
    score: number;
    /** The checkout session. */
    checkout_session: CheckoutSession;
}

/** A matching product. */
export interface ProductSearchResult {
    /** Type of the record, and the name of the field that contains it. */
    type: "product";
    /** Id of the record. */
    id: FlakeId;
    /**
     * Format: int32
     * Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, 10 with a typo. With several words the lowest counts; 0 without a query.
     */
    score: number;
    /** The product. */
    product: Product;
}

/** A matching order. */
export interface OrderSearchResult {
    /** Type of the record, and the name of the field that contains it. */
    type: "order";
    /** Id of the record. */
    id: FlakeId;
    /**
     * Format: int32
     * Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, 10 with a typo. With several words the lowest counts; 0 without a query.
     */
    score: number;
    /** The order. */
    order: Order;
}

/** Number of matches by type of record. */
export interface SearchFacets {
    /**
     * Format: int32
     * Number of matching customers.
     */
    customer: number;
    /**
     * Format: int32
     * Number of matching bans.
     */
    ban: number;
    /**
     * Format: int32
     * Number of matching coupons.
     */
    coupon: number;
    /**
     * Format: int32
     * Number of matching affiliate links.
     */
    affiliate_link: number;
    /**
     * Format: int32
     * Number of matching custom variables.
     */
    custom_variable: number;
    /**
     * Format: int32
     * Number of matching checkout sessions.
     */
    checkout_session: number;
    /**
     * Format: int32
     * Number of matching products.
     */
    product: number;
    /**
     * Format: int32
     * Number of matching orders.
     */
    order: number;
}

/** Type of record that the search finds. */
export type SearchedRecord = "customer" | "ban" | "coupon" | "affiliate_link" | "custom_variable" | "checkout_session" | "product" | "order"

/** A token of the customer. */
export interface SignInResponse {
    /** Secret token for the `Authorization: Customer <token>` header. */
    customer_token: string;
}

/** Parameters of: List customers. */
export interface CustomersListParams {
    /** Case-insensitive substring of the name or profile name, or an exact id, `steam_id`, `minecraft_uuid` or `xbox_xuid`. */
    search?: string;
    /** Returns only these customers. Repeat the parameter for each, up to 100 times. */
    customer_id?: FlakeId[];
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: Look up a customer. */
export interface CustomersLookupParams {
    /** Id of the customer. */
    id?: FlakeId;
    /** SteamID64. */
    steam_id?: SteamId;
    /** UUID of the Minecraft account, with or without dashes, in any case. */
    minecraft_uuid?: string;
    /** Xbox user id (XUID). */
    xbox_xuid?: string;
    /** Profile name of a Java Edition account. */
    minecraft_java_name?: string;
    /** Profile name of a Bedrock Edition account. */
    minecraft_bedrock_name?: string;
    /** Name that the store gave the customer, case-insensitive; profile names do not match. */
    name?: string;
}

/** Parameters of: List bans. */
export interface BansListParams {
    /** Returns only bans with an identity of this type. */
    ban_type?: BanType;
    /** Returns only bans with this identity, in any notation. Together with `ban_type`, one identity must match both. */
    ban_type_value?: string;
    /** Case-insensitive substring of the reason. */
    reason?: string;
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: List coupons. */
export interface CouponsListParams {
    /**
     * Returns only coupons in this state.
     * @default all
     */
    status?: CouponFilterStatus;
    /**
     * Returns only coupons of this origin.
     * @default all
     */
    type?: CouponFilterType;
    /** Returns only coupons restricted to this customer. */
    usable_by_customer_id?: FlakeId;
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: List products. */
export interface ProductsListParams {
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: List checkout sessions. */
export interface CheckoutsListParams {
    /** Returns only sessions in this state. */
    status?: CheckoutSessionStatus;
    /** Returns only sessions of this customer. */
    customer_id?: FlakeId;
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: List orders. */
export interface OrdersListParams {
    /** Returns only orders in this state. */
    status?: OrderStatus;
    /** Returns only orders of this customer. */
    customer_id?: FlakeId;
    /**
     * Format: email
     * Returns only orders with this e-mail address, in any case.
     */
    billing_email?: string;
    /** Returns only orders of this subscription. */
    subscription_id?: FlakeId;
    /**
     * Format: date-time
     * Returns only orders created at this time or later.
     */
    created_after?: string;
    /**
     * Format: date-time
     * Returns only orders created before this time.
     */
    created_before?: string;
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: List subscriptions. */
export interface SubscriptionsListParams {
    /** Returns only subscriptions in this state. */
    status?: SubscriptionStatus;
    /** Returns only subscriptions of this customer. */
    customer_id?: FlakeId;
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: List payments. */
export interface PaymentsListParams {
    /** Returns only payments of this checkout session. */
    checkout_id?: FlakeId;
    /** Returns only payments in this state. */
    status?: PaymentStatus;
    /** Returns only payments of this customer. */
    customer_id?: FlakeId;
    /**
     * Format: email
     * Returns only payments started with this e-mail address, in any case.
     */
    billing_email?: string;
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: List webhook endpoints. */
export interface WebhooksListEndpointsParams {
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: List deliveries to a webhook endpoint. */
export interface WebhooksListDeliveriesParams {
    /** Returns only deliveries in this state. */
    status?: WebhookDeliveryStatus;
    /** Returns only deliveries of this event type, such as `ban.created` or `ping`. */
    event_type?: string;
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}

/** Parameters of: Search the dashboard. */
export interface DashboardSearchParams {
    /** Text to search for, at most 20 words. Omit it for the newest records. */
    query?: string;
    /** Values that a record must contain, such as `search_hints[code]=SUMMER`. All given hints must match; empty hints are ignored. A hint excludes the types of records that it does not search. */
    search_hints?: SearchHints;
    /** Returns only results of this type. */
    search_result_type?: DashboardSearchResultType;
    /**
     * Format: int32
     * Maximum number of items on the page.
     * @default 50
     */
    limit?: number;
    /** Cursor: returns the items that follow this id in the chosen order. The id need not exist. */
    after?: FlakeId;
    /** Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist. */
    before?: FlakeId;
    /**
     * `true` returns the oldest items first, `false` the newest.
     * @default false
     */
    asc?: boolean;
}
