-- The number of the latest order of each store.
create table order_counter (
  store_id bigint primary key,
  latest bigint not null
);

create table store_order (
  id bigint not null default flake_id(),
  store_id bigint not null,
  number bigint not null,
  checkout_id bigint not null,
  customer_id bigint not null,
  status text not null default 'paid' check (status in ('paid', 'partially_refunded', 'refunded', 'charged_back')),
  currency text not null,
  -- The lines of the session, as protobuf JSON.
  lines jsonb not null,
  coupon_id bigint,
  coupon_version_id bigint,
  affiliate_link_id bigint,
  subtotal_amount bigint not null,
  coupon_discount_amount bigint not null,
  affiliate_discount_amount bigint not null,
  total_amount bigint not null check (total_amount >= 0),
  refunded_amount bigint not null default 0 check (refunded_amount between 0 and total_amount),
  metadata jsonb not null,
  -- Protobuf JSON of the shopper's details: personal data.
  billing_details jsonb,
  -- Written by the service, so that it does not depend on the database's locale.
  folded_email text,
  payment_id bigint not null,
  payment_provider text not null,
  payment_reference text,
  subscription_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id),
  check (subtotal_amount = coupon_discount_amount + affiliate_discount_amount + total_amount)
);

create unique index store_order_number_unique on store_order (store_id, number);
create unique index store_order_checkout_unique on store_order (store_id, checkout_id);
-- Lists, in their order.
create index store_order_of_customer on store_order (store_id, customer_id, id);
create index store_order_of_status on store_order (store_id, status, id);
create index store_order_of_email on store_order (store_id, folded_email, id) where folded_email is not null;
create index store_order_created_at on store_order (store_id, created_at);

-- Append-only.
create table order_timeline (
  id bigint not null default flake_id(),
  store_id bigint not null,
  order_id bigint not null,
  kind text not null check (kind in ('paid', 'marked_paid', 'refund_requested', 'refund_succeeded', 'refund_failed',
    'charged_back', 'chargeback_reversed')),
  payment_id bigint,
  refund_id bigint,
  amount bigint,
  actor text not null,
  created_at timestamptz not null,
  primary key (store_id, order_id, id),
  foreign key (store_id, order_id) references store_order (store_id, id) on delete cascade
);
