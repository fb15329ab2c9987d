/** Response bodies of the API, declared independently of the product. */
export interface CustomerBody {
  id: string
  store_id: string
  profile: { id: string; platform: string; name: string; avatar_url: string | null; claimed: boolean } | null
  steam_id: string | null
  steam: AccountBody | null
  minecraft_uuid: string | null
  minecraft: AccountBody | null
  minecraft_platform: 'unknown' | 'java' | 'bedrock' | null
  xbox_xuid: string | null
  name: string | null
  created_at: string
  updated_at: string | null
  metadata: Record<string, string>
}

export interface AccountBody {
  id: string
  name: string
  avatar_url: string | null
}

export interface BanBody {
  id: string
  store_id: string
  reason: string
  enabled: boolean
  identities: BanIdentityBody[]
  created_by: ActorBody
  created_at: string
  updated_by: ActorBody | null
  updated_at: string | null
  expires_at: string | null
}

export interface BanIdentityBody {
  ban_type: string
  ban_type_value: string
}

export interface ProductBody {
  id: string
  store_id: string
  slug: string | null
  name: string
  description: string | null
  label: string | null
  price: number
  allow_one_time_purchase: boolean
  allow_subscription: boolean
  subscription_interval_value: number | null
  subscription_interval_scale: 'day' | 'week' | 'month' | 'year' | null
  tags: string[]
  custom_variable_ids: string[]
  is_hidden: boolean
  is_coupons_disabled: boolean
  is_gifting_disabled: boolean
  is_affiliate_links_disabled: boolean
  enabled_at: string | null
  enabled_until: string | null
  metadata: Record<string, string>
  version_id: string
  gameservers: string[]
  single_game_server_only: boolean
  commands: {
    stage: string
    content: string
    online_only: boolean
    override_execute_on_gameserver_ids: string[]
    delay_seconds: number
    required_slots: number
  }[]
  remove_after_enabled: boolean
  remove_after_time_value: number | null
  remove_after_time_scale: 'day' | 'week' | 'month' | null
  store_stock_limit: StockLimitBody
  customer_stock_limit: StockLimitBody
  stock_limit_do_not_include_removed: boolean
  stock_available: { store_available: number | null; customer_available: number | null } | null
  required_product_ids: string[]
  required_product_all: boolean
  allow_concurrent_active_items: boolean
  image_url: string | null
  enabled: boolean
  sort_order: number
  created_by: ActorBody
  created_at: string
  updated_by: ActorBody | null
  updated_at: string | null
}

export interface TagBody {
  id: string
  store_id: string
  name: string
  slug: string | null
  image_url: string | null
  sort_order: number
  enabled: boolean
  created_by: ActorBody
  created_at: string
  updated_by: ActorBody | null
  updated_at: string | null
}

export interface StockLimitBody {
  enabled: boolean
  quantity: number | null
  time_value: number | null
  time_scale: 'day' | 'week' | 'month' | 'year' | null
  include_trials: boolean
}

export interface NewCheckoutBody {
  id: string
  token: string
  url: string
}

export interface CheckoutSessionBody {
  id: string
  store_id: string
  customer_id: string
  status: 'open' | 'completed' | 'canceled' | 'expired'
  currency: string
  lines: CheckoutLineBody[]
  coupon_id: string | null
  affiliate_link_id: string | null
  subtotal_amount: number
  coupon_discount_amount: number
  affiliate_discount_amount: number
  discount_amount: number
  total_amount: number
  net_amount: number | null
  tax_amount: number | null
  tax_country: string | null
  tax_rate: number | null
  tax_name: string | null
  tax_included: boolean | null
  reverse_charge: boolean | null
  tax_evidence: { billing_country: string | null; ip_country: string | null; tax_id_check: string } | null
  subscription: { interval_value: number; interval_scale: string; discounted_periods: number | null } | null
  return_url: string | null
  cancel_url: string | null
  editable: boolean
  metadata: Record<string, string>
  expires_at: string
  created_by: ActorBody
  created_at: string
  completed_at: string | null
  canceled_at: string | null
  order_id: string | null
}

export interface CheckoutLineBody {
  product_id: string | null
  name: string
  quantity: number
  unit_price: number
  options_amount: number
  discount_amount: number
  total_amount: number
  net_amount: number | null
  tax_amount: number | null
  gross_amount: number | null
  tax_rate: number | null
  tax_name: string | null
  subscription: boolean
  gift_to_customer_id: string | null
  custom_variables: Record<string, string>
  metadata: Record<string, string>
}

export interface OrderBody {
  id: string
  checkout_id: string
  customer_id: string
  status: string
  lines: CheckoutLineBody[]
  invoice_number: string | null
  total_amount: number
  net_amount: number | null
  tax_amount: number | null
  payment: { id: string }
  subscription_id: string | null
}

export interface GameServerBody {
  id: string
  store_id: string
  name: string
  enabled: boolean
  /** Only in the responses that create it. */
  token: string | null
  token_reset_at: string | null
  linked_to: {
    ip: string
    hostname: string
    platform: string
    version: string
    saved_at: string
    last_fetched_commands_at: string | null
    last_fetched_commands_from_ip: string | null
  } | null
  created_at: string
  created_by: ActorBody
  updated_at: string | null
  updated_by: ActorBody | null
}

export interface DeliveryItemBody {
  id: string
  store_id: string
  customer_id: string
  order_customer_id: string | null
  checkout_id: string | null
  order_id: string | null
  order_line: number | null
  subscription_id: string | null
  execute_on_gameserver_id: string | null
  quantity_index: number | null
  product: { id: string | null; name: string; slug: string | null; version_id: string | null }
  state: 'usable' | 'active' | 'used' | 'revoked' | 'renewed'
  added_at: string
  added_by: ActorBody | null
  active_at: string | null
  expirable: boolean
  expires_at: string | null
  override_expires_at: string | null
  removed_at: string | null
  revoked_at: string | null
  revoke_reason: string | null
  revoked_by: ActorBody | null
  command_attempts: CommandAttemptBody[]
  skip_commands: boolean
  custom_variables: Record<string, string>
  gift: boolean
}

export interface CommandAttemptBody {
  id: string
  store_id: string
  inventory_item_id: string | null
  gameserver_id: string
  steam_id: string | null
  minecraft_uuid: string | null
  customer_name: string | null
  customer_id: string | null
  command_stage: string
  command: string
  online_only: boolean
  rerun: boolean
  queued_at: string
  executed_at: string | null
  executed_by_ip: string | null
  unqueued_at: string | null
  state: 'pending' | 'blocked' | 'executed' | 'unqueued'
  missing_placeholders: string[]
  given_out_count: number
  stuck_at: string | null
}

export interface ActorBody {
  type: string
  id: string | null
}

export interface PortalSessionBody {
  id: string
  store_id: string
  customer_id: string
  created_at: string
  expires_at: string
  flow: unknown
  return_url: string | null
  token: string
  url: string
}

export interface StoreBody {
  id: string
  slug: string
  name: string
  game: string
  currency: string
  logo_url: string | null
  logo_square_url: string | null
}

export interface StoreSettingsBody extends StoreBody {
  bedrock_prefix: string
  description: string | null
  icon_url: string | null
  accent_color: string | null
  website_url: string | null
  support_email: string | null
  reply_to: string | null
  links: Record<'terms' | 'privacy' | 'refunds', string | null>
  seller: Record<'name' | 'address' | 'tax_id' | 'register', string | null>
  time_zone: string
  tax: {
    mode: string
    provider: string
    country: string | null
    registrations: { country: string; rate: number | null; name: string }[]
  }
  disabled_emails: string[]
  store_page_enabled: boolean
  created_at: string
  updated_at: string | null
}

export interface ServiceErrorBody {
  status: number
  code: string
  message: string
  trace_id: string | null
  errors: { code: string; message: string; path: string; validation: string }[] | null
}

export interface CouponBody extends CouponInputBody {
  id: string
  store_id: string
  version_id: string
  created_by: ActorBody
  created_at: string
  updated_by: ActorBody | null
  updated_at: string | null
}

/** What a caller may set on a coupon. */
export interface CouponInputBody {
  enabled: boolean
  code: string
  note: string | null
  duration: string
  duration_in_months: number | null
  duration_in_intervals: number | null
  discount_type: string
  discount_amount: number
  discount_apply_individually: boolean
  discount_apply_before_sales: boolean
  apply_to_products: string[] | null
  apply_to_tags: string[] | null
  usable_by_customer_id: string | null
  minimum_order_value: number
  redeem_limit_store_enabled: boolean
  redeem_limit_store_amount: number
  redeem_limit_customer_enabled: boolean
  redeem_limit_customer_amount: number
  usable_on_one_time_purchase: boolean
  usable_on_subscription: boolean
  usable_at: string | null
  expires_at: string | null
}

export interface AffiliateLinkBody {
  id: string
  store_id: string
  wallet_id: string
  enabled: boolean
  code: string
  referer_type: string
  tracking_length_days: number
  apply_for_subscriptions: boolean
  discount_type: string
  discount_amount: number
  commission_type: string
  commission_amount: number
  commission_amount_steps: { billing_cycle_sequence: number; commission_amount: number }[]
  last_commission_amount_step_repeats: boolean
  created_by: ActorBody
  created_at: string
  updated_by: ActorBody | null
  updated_at: string | null
}

export interface CustomVariableBody {
  id: string
  store_id: string
  identifier: string
  name: string
  description: string
  type: 'dropdown' | 'text' | 'number'
  value_regex: string | null
  options: CustomVariableOptionBody[]
  created_by: ActorBody
  created_at: string
  updated_by: ActorBody | null
  updated_at: string | null
}

export interface CustomVariableOptionBody {
  id: string
  store_id: string
  custom_variable_id: string
  name: string
  value: string
  price: number
  price_type: 'fixed' | 'percentage'
  is_default: boolean
  sort_order: number
}

/** The record of a result is under the key that is named like its type. */
export interface SearchBody {
  results: ({ type: string; id: string; score: number } & Record<string, unknown>)[]
  facets: Record<string, number>
  facets_at_least: string[]
}
