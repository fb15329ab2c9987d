create table coupon (
  id bigint not null default flake_id(),
  store_id bigint not null,
  version_id bigint not null default flake_id(),
  enabled boolean not null,
  code text not null,
  -- Folded by the service, independently of the locale of the database.
  folded_code text not null,
  note text,
  duration text not null check (duration in ('once', 'forever', 'repeating')),
  duration_in_months integer,
  duration_in_intervals integer,
  discount_type text not null check (discount_type in ('percent', 'amount')),
  discount_amount bigint not null,
  discount_apply_individually boolean not null,
  discount_apply_before_sales boolean not null,
  apply_to_products bigint[] not null,
  apply_to_tags bigint[] not null,
  usable_by_customer_id bigint,
  minimum_order_value bigint not null,
  redeem_limit_store_enabled boolean not null,
  redeem_limit_store_amount bigint not null,
  redeem_limit_customer_enabled boolean not null,
  redeem_limit_customer_amount bigint not null,
  usable_on_one_time_purchase boolean not null,
  usable_on_subscription boolean not null,
  usable_at timestamptz,
  expires_at timestamptz,
  -- The end of the active period, for lists by status. It starts at usable_at.
  active_until timestamptz not null
    generated always as (case when enabled then coalesce(expires_at, 'infinity') else '-infinity' end) stored,
  created_by text not null,
  -- Created by Storekeep itself.
  generated boolean not null generated always as (split_part(created_by, ':', 1) = 'internal') stored,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  -- Reserved and confirmed redemptions, counted under the lock of this row.
  used bigint not null default 0 check (used >= 0),
  primary key (store_id, id)
);

create unique index coupon_code_unique on coupon (store_id, folded_code);

-- Manual or generated coupons, in the order of a list.
create index coupon_of_type on coupon (store_id, generated, id);

-- Active coupons, where most are inactive.
create index coupon_active_until on coupon (store_id, active_until);

-- Coupons of one customer, in the order of a list.
create index coupon_of_customer on coupon (store_id, usable_by_customer_id, id)
  where usable_by_customer_id is not null;

-- The terms of every version, since checkouts were priced with them. Versions outlive their coupon.
create table coupon_version (
  id bigint not null,
  store_id bigint not null,
  coupon_id bigint not null,
  -- The columns of the coupon.
  terms jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (store_id, coupon_id, id)
);

create table affiliate_link (
  id bigint not null default flake_id(),
  store_id bigint not null,
  wallet_id text not null,
  enabled boolean not null,
  code text not null,
  -- Folded by the service, independently of the locale of the database.
  folded_code text not null,
  referer_type text not null check (referer_type in ('first_referer', 'last_referer')),
  tracking_length_days integer not null,
  apply_for_subscriptions boolean not null,
  discount_type text not null check (discount_type in ('none', 'fixed', 'percentage')),
  discount_amount bigint not null,
  commission_type text not null check (commission_type in ('none', 'fixed', 'percentage')),
  commission_amount bigint not null,
  -- The steps, in their order: billing cycles, and the commission of each.
  step_sequences integer[] not null,
  step_amounts bigint[] not null check (cardinality(step_amounts) = cardinality(step_sequences)),
  last_commission_amount_step_repeats boolean not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

create unique index affiliate_link_code_unique on affiliate_link (store_id, folded_code);

-- The ledger, one row per checkout. Rows outlive their coupon.
create table redemption (
  id bigint not null default flake_id(),
  store_id bigint not null,
  checkout_id bigint not null,
  -- Null if the checkout was released before it reserved: the row prevents the late reservation.
  coupon_id bigint,
  coupon_version_id bigint,
  customer_id bigint,
  -- Reserved and confirmed rows count. An expired row may still be confirmed if the limits allow it, a released row may not.
  state text not null check (state in ('reserved', 'confirmed', 'released', 'expired')),
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (store_id, checkout_id),
  check (state = 'released' or (
    coupon_id is not null and coupon_version_id is not null and customer_id is not null and expires_at is not null
  ))
);

-- Reservations that may have expired: of one coupon that needs room, and of all coupons for the sweep.
create index redemption_reserved_of_coupon on redemption (store_id, coupon_id, expires_at) where state = 'reserved';
create index redemption_reserved on redemption (expires_at) where state = 'reserved';

-- Reservations of one customer that may have expired, for a customer at its limit.
create index redemption_reserved_of_customer on redemption (store_id, coupon_id, customer_id, expires_at)
  where state = 'reserved';

-- Released and expired redemptions, which are deleted after a while.
create index redemption_ended on redemption (created_at) where state in ('released', 'expired');

-- The usage of a coupon per customer; the sum is coupon.used. Like that column, it is changed and compared with the limit
-- under the lock of the coupon's row.
create table coupon_customer_usage (
  store_id bigint not null,
  coupon_id bigint not null,
  customer_id bigint not null,
  used bigint not null check (used >= 0),
  primary key (store_id, coupon_id, customer_id)
);
