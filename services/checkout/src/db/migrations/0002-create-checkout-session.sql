create table checkout_session (
  id bigint not null default flake_id(),
  store_id bigint not null,
  customer_id bigint not null,
  -- An open session past its end counts as expired, even before the sweeper has run.
  status text not null default 'open' check (status in ('open', 'completed', 'canceled', 'expired')),
  currency text not null,
  coupon_id bigint,
  -- The coupon version that decided the discount.
  coupon_version_id bigint,
  affiliate_link_id bigint,
  subtotal_amount bigint not null check (subtotal_amount >= 0),
  coupon_discount_amount bigint not null check (coupon_discount_amount >= 0),
  affiliate_discount_amount bigint not null check (affiliate_discount_amount >= 0),
  total_amount bigint not null check (total_amount >= 0),
  return_url text,
  cancel_url text,
  auto_redirect boolean not null,
  metadata jsonb not null,
  customer_details jsonb,
  token_hash bytea not null,
  expires_at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  canceled_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id),
  check (subtotal_amount = coupon_discount_amount + affiliate_discount_amount + total_amount)
);

create unique index checkout_session_token_hash_unique on checkout_session (token_hash);

-- Lists by customer or status, in their order.
create index checkout_session_of_customer on checkout_session (store_id, customer_id, id);
create index checkout_session_of_status on checkout_session (store_id, status, id);

-- For the sweeper.
create index checkout_session_open on checkout_session (expires_at) where status = 'open';
