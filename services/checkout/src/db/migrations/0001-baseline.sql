create table product (
  id bigint not null default flake_id(),
  store_id bigint not null,
  -- Every change has a new one.
  version_id bigint not null default flake_id(),
  slug text,
  name text not null,
  description text,
  label text,
  -- Of one unit, in minor units.
  price bigint not null check (price >= 0),
  allow_one_time_purchase boolean not null,
  allow_subscription boolean not null,
  subscription_interval_value integer,
  subscription_interval_scale text check (subscription_interval_scale in ('day', 'week', 'month', 'year')),
  tags bigint[] not null,
  custom_variable_ids bigint[] not null,
  is_hidden boolean not null,
  is_coupons_disabled boolean not null,
  is_gifting_disabled boolean not null,
  is_affiliate_links_disabled boolean not null,
  enabled_at timestamptz,
  enabled_until timestamptz,
  metadata jsonb not null,
  gameservers bigint[] not null,
  single_game_server_only boolean not null,
  commands jsonb not null,
  remove_after_enabled boolean not null,
  remove_after_time_value integer,
  remove_after_time_scale text check (remove_after_time_scale in ('day', 'week', 'month')),
  -- {"enabled", "quantity", "timeValue", "timeScale", "includeTrials"}. Null: no limit.
  store_stock_limit jsonb,
  customer_stock_limit jsonb,
  stock_limit_do_not_include_removed boolean not null,
  required_product_ids bigint[] not null,
  required_product_all boolean not null,
  allow_concurrent_active_items boolean not null,
  image_url text,
  enabled boolean not null,
  sort_order integer not null,
  -- Name and label without case and accents, for the search of the storefront.
  search_text text not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

-- The lists of the storefront, in their order.
create index product_of_catalog on product (store_id, sort_order, id) where enabled and not is_hidden;

create index product_version_id on product (store_id, version_id);

-- Slugs consist of ASCII, which every locale folds alike.
create unique index product_slug_unique on product (store_id, lower(slug)) where slug is not null;

create table tag (
  id bigint not null default flake_id(),
  store_id bigint not null,
  name text not null,
  slug text,
  image_url text,
  sort_order integer not null,
  enabled boolean not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

create unique index tag_slug_unique on tag (store_id, lower(slug)) where slug is not null;

-- The counted units of each product that has or had an enabled stock limit. Locked by transactions that change them.
create table product_stock (
  store_id bigint not null,
  product_id bigint not null,
  -- Units of open and completed sessions.
  sold bigint not null default 0 check (sold >= 0),
  -- Sold units whose items have expired or were revoked.
  returned bigint not null default 0,
  primary key (store_id, product_id)
);

create table checkout_session (
  id bigint not null default flake_id(),
  store_id bigint not null,
  customer_id bigint not null,
  -- An open session past its end counts as expired, even before the sweep has run.
  status text not null default 'open' check (status in ('open', 'completed', 'canceled', 'expired')),
  currency text not null,
  coupon_id bigint,
  -- The coupon version that decided the discount.
  coupon_version_id bigint,
  -- Its code when it was applied, for the pages.
  coupon_code text,
  -- The id under which coupons holds the redemption of the coupon: a change of the coupon reserves the new one under a new id.
  -- Null: the id of the session.
  redemption_id bigint,
  affiliate_link_id bigint,
  subtotal_amount bigint not null check (subtotal_amount >= 0),
  coupon_discount_amount bigint not null check (coupon_discount_amount >= 0),
  affiliate_discount_amount bigint not null check (affiliate_discount_amount >= 0),
  total_amount bigint not null check (total_amount >= 0),
  -- How the session is taxed, and its net and tax: {"inclusive", "country", "rate", "taxAmount", …}. Null without tax.
  tax jsonb,
  return_url text,
  cancel_url text,
  auto_redirect boolean not null,
  -- Whether the buyer may change quantities and remove lines.
  editable boolean not null default false,
  metadata jsonb not null,
  customer_details jsonb,
  -- How the subscription lines renew: {"intervalValue", "intervalScale", "discountedPeriods"}. Null without such lines.
  subscription jsonb,
  -- The payment that completed the session. Null if it is open, or if the operator completed it.
  payment_id bigint,
  -- The order of that payment, which the orders service creates.
  order_id bigint,
  token_hash bytea not null,
  expires_at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  canceled_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id),
  check (subtotal_amount - coupon_discount_amount - affiliate_discount_amount
    + case when (tax ->> 'inclusive')::boolean then 0 else coalesce((tax ->> 'taxAmount')::bigint, 0) end = total_amount),
  check ((tax ->> 'netAmount')::bigint + (tax ->> 'taxAmount')::bigint = total_amount)
);

create unique index checkout_session_token_hash_unique on checkout_session (token_hash);

-- Lists by customer or status, in their order.
create index checkout_session_of_customer on checkout_session (store_id, customer_id, id);
create index checkout_session_of_status on checkout_session (store_id, status, id);

-- For the sweep.
create index checkout_session_open on checkout_session (expires_at) where status = 'open';

create table checkout_line (
  store_id bigint not null,
  checkout_id bigint not null,
  -- Starts at 1, in the order of the request.
  position smallint not null,
  -- Null for an inline product.
  product_id bigint,
  name text not null,
  image_url text,
  quantity integer not null check (quantity > 0),
  -- Including the chosen options.
  unit_price bigint not null check (unit_price >= 0),
  options_amount bigint not null,
  -- The coupon discount of the whole line.
  discount_amount bigint not null check (discount_amount >= 0),
  total_amount bigint not null check (total_amount >= 0),
  -- After both discounts. Null without the tax of the session.
  net_amount bigint check (net_amount >= 0),
  tax_amount bigint check (tax_amount >= 0),
  subscription boolean not null,
  trial boolean not null,
  gift_to_customer_id bigint,
  selected_gameserver_id bigint,
  -- The version of the product that was bought. Null for an inline product.
  product_version_id bigint,
  -- What the product demands of the line, which it may no longer demand later. Null if nothing.
  rules jsonb,
  custom_variables jsonb not null,
  -- With the names that the pages show, as they were when the session was created.
  answered_variables jsonb not null default '[]',
  metadata jsonb not null,
  payout_splits jsonb not null,
  -- The terms of an inline product.
  inline_product jsonb,
  -- The line of the customer's cart that is bought.
  cart_key text,
  primary key (store_id, checkout_id, position),
  foreign key (store_id, checkout_id) references checkout_session (store_id, id) on delete cascade,
  check (unit_price * quantity = discount_amount + total_amount)
);

create table cart (
  store_id bigint not null,
  customer_id bigint not null,
  -- {"productId", "quantity", "subscription", "recipient", "selectedGameserverId", "customVariables", "key"}. The key identifies what
  -- the line buys.
  lines jsonb not null,
  updated_at timestamptz not null,
  primary key (store_id, customer_id)
);

-- For the sweep.
create index cart_updated_at on cart (updated_at);

-- The units that open and completed sessions hold, of lines whose product had an enabled stock limit. Deleted when the session
-- ends without a payment.
create table stock_reservation (
  store_id bigint not null,
  checkout_id bigint not null,
  -- Of the line.
  position smallint not null,
  product_id bigint not null,
  -- Who receives the units.
  customer_id bigint not null,
  quantity integer not null check (quantity > 0),
  reserved_at timestamptz not null,
  -- The units whose items have expired or were revoked, starting at 0.
  returned_units smallint[] not null default '{}',
  primary key (store_id, checkout_id, position)
);

-- For the sums of a window, and of a customer.
create index stock_reservation_of_product on stock_reservation (store_id, product_id, reserved_at);
create index stock_reservation_of_customer on stock_reservation (store_id, product_id, customer_id, reserved_at);

-- The intent to reserve a coupon for a session that does not exist yet. A row is written before coupons is called. It
-- is deleted in the transaction that writes the session, or after the reservation has been released. A process that dies
-- in between leaves a row from which the sweep releases the reservation.
create table coupon_reservation (
  store_id bigint not null,
  checkout_id bigint not null,
  -- The sweep owns a releasing row: its session can no longer be written.
  state text not null default 'reserving' check (state in ('reserving', 'releasing')),
  -- Of the call, if it has an Idempotency-Key: calls with the same key share one reservation.
  idempotency_scope text,
  idempotency_key text,
  created_at timestamptz not null,
  -- Attempts to release the reservation.
  attempts integer not null default 0,
  -- When the sweep releases it.
  next_at timestamptz not null,
  primary key (store_id, checkout_id)
);

create unique index coupon_reservation_call_unique on coupon_reservation (store_id, idempotency_scope, idempotency_key)
  where idempotency_key is not null;
create index coupon_reservation_next_at on coupon_reservation (next_at);
