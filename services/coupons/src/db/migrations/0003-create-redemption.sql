-- The ledger, one row per checkout. Rows outlive their coupon.
create table redemption (
  id bigint not null default flake_id(),
  store_id bigint not null,
  checkout_id bigint not null,
  -- Null if the checkout was released before it reserved: the row refuses the late reservation.
  coupon_id bigint,
  coupon_version_id bigint,
  customer_id bigint,
  -- Reserved and confirmed rows count. An expired one may still be confirmed if the limits allow it, a released one
  -- may not.
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

-- The usage of a coupon per customer; the sum is coupon.used. Like that column, it is changed and compared with the limit
-- under the lock of the coupon's row.
create table coupon_customer_usage (
  store_id bigint not null,
  coupon_id bigint not null,
  customer_id bigint not null,
  used bigint not null check (used >= 0),
  primary key (store_id, coupon_id, customer_id)
);
