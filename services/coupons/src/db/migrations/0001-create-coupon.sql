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
