/** Ids of copies lie in the past, where no new id can be equal. */
const shifted = (column: string) => `${column} - n::bigint * 4194304`
const hashed = `sha256(n::text::bytea)`
/** The same for all tables, regardless of the order of their rows. */
const numberedId = `n::bigint * 4194304`
const numberedEvent = `md5('event' || n)::uuid`
const shared = {
  outbox: {
    event_id: 'gen_random_uuid()',
    aggregate_id: `aggregate_id || '-' || n`,
    published_at: 'now()',
    stream_sequence: 'n',
  },
}

/**
 * The tables of each service that grow with its use. For each, the columns in which the copies of a row differ, as SQL
 * expressions of the copy's number `n`. Copies belong to the same store unless the number of its records is limited.
 */
export const tablesToFill: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  stores: {
    ...shared,
    store: { id: shifted('id'), slug: `'store-' || n` },
    api_key: { id: shifted('id'), store_id: shifted('store_id'), hash: hashed },
  },
  customers: {
    ...shared,
    customer: {
      id: shifted('id'),
      steam_id: '76561198000000000 + n',
      minecraft_uuid: 'gen_random_uuid()',
      minecraft_name: `'Player' || n`,
      folded_minecraft_name: `'player' || n`,
      xbox_xuid: '(2533274800000000 + n)::text',
      name: `'Player ' || n`,
      folded_name: `'player ' || n`,
      search_text: `'player ' || n || chr(31) || 'player' || n`,
    },
    portal_session: { id: shifted('id'), customer_id: shifted('customer_id'), token_hash: hashed },
  },
  bans: {
    ...shared,
    ban: { id: shifted('id'), reason: `'Reason ' || n`, folded_reason: `'reason ' || n` },
    ban_identity: {
      ban_id: shifted('ban_id'),
      match_value: '(76561198000000000 + n)::text',
      value: '(76561198000000000 + n)::text',
    },
  },
  'custom-variables': {
    ...shared,
    custom_variable: { id: shifted('id'), store_id: shifted('store_id'), identifier: `'variable-' || n` },
    custom_variable_option: {
      id: shifted('id'),
      store_id: shifted('store_id'),
      custom_variable_id: shifted('custom_variable_id'),
    },
  },
  coupons: {
    ...shared,
    coupon: { id: shifted('id'), code: `'CODE' || n`, folded_code: `'code' || n`, usable_by_customer_id: 'n' },
    coupon_version: { id: shifted('id'), coupon_id: shifted('coupon_id') },
    affiliate_link: { id: shifted('id'), store_id: shifted('store_id') },
    redemption: {
      id: shifted('id'),
      checkout_id: shifted('checkout_id'),
      coupon_id: shifted('coupon_id'),
      customer_id: 'n',
    },
    coupon_customer_usage: { coupon_id: shifted('coupon_id'), customer_id: 'n' },
  },
  checkout: {
    ...shared,
    product: { id: shifted('id'), slug: `'product-' || n` },
    tag: { id: shifted('id'), store_id: shifted('store_id'), slug: `'tag-' || n` },
    checkout_session: { id: shifted('id'), customer_id: 'n', token_hash: hashed },
    cart: { customer_id: 'n' },
    checkout_line: { checkout_id: shifted('checkout_id') },
  },
  orders: {
    ...shared,
    payment: {
      id: shifted('id'),
      checkout_id: shifted('checkout_id'),
      customer_id: 'n',
      folded_email: `'shopper' || n || '@example.com'`,
      provider_reference: `'reference-' || n`,
    },
    store_order: {
      id: shifted('id'),
      number: 'number + 1000000 + n',
      checkout_id: shifted('checkout_id'),
      customer_id: 'n',
      folded_email: `'shopper' || n || '@example.com'`,
      payment_id: shifted('payment_id'),
    },
    order_timeline: { id: shifted('id'), order_id: shifted('order_id') },
    refund: { id: shifted('id'), payment_id: shifted('payment_id'), order_id: shifted('order_id') },
  },
  emails: {
    ...shared,
    email: { id: shifted('id'), cause: `'cause ' || n`, message_id: `'<' || n || '@example.org>'` },
  },
  webhooks: {
    ...shared,
    webhook_endpoint: { id: shifted('id'), store_id: shifted('store_id'), failing_since: 'null' },
    webhook_secret: {
      id: shifted('id'),
      store_id: shifted('store_id'),
      webhook_endpoint_id: shifted('webhook_endpoint_id'),
    },
    webhook_event: { id: numberedEvent },
    webhook_delivery: {
      id: numberedId,
      event_id: numberedEvent,
      // Nothing sends the copies.
      status: `'succeeded'`,
      due_at: 'null',
      lease: 'null',
    },
    webhook_attempt: { delivery_id: numberedId },
  },
}
