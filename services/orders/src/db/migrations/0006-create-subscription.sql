create table subscription (
  id bigint not null default flake_id(),
  store_id bigint not null,
  customer_id bigint not null,
  -- The session that started it.
  checkout_id bigint not null,
  status text not null default 'active' check (status in ('active', 'past_due', 'canceled')),
  currency text not null,
  -- The subscription lines of the session, as protobuf JSON.
  lines jsonb not null,
  coupon_id bigint,
  interval_value integer not null check (interval_value > 0),
  interval_scale text not null check (interval_scale in ('day', 'week', 'month', 'year')),
  -- How many periods the coupon discounts, counting the first. Null: all.
  discounted_periods integer,
  provider text not null check (provider in ('test', 'stripe')),
  -- The subscription at the provider.
  provider_reference text,
  -- The number of paid periods, and the latest one.
  paid_periods integer not null default 1,
  current_period_start timestamptz not null,
  current_period_end timestamptz not null,
  cancel_at_period_end boolean not null default false,
  cancellation_reason text check (cancellation_reason in ('requested', 'banned', 'payment_failed')),
  canceled_at timestamptz,
  -- Attempts of the task since its last success, and when it reads the subscription next. Null: never.
  attempts integer not null default 0,
  next_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id),
  check ((status = 'canceled') = (canceled_at is not null))
);

create unique index subscription_checkout_unique on subscription (store_id, checkout_id);
-- From a webhook to its subscription.
create unique index subscription_provider_reference_unique on subscription (store_id, provider, provider_reference)
  where provider_reference is not null;
-- Lists, in their order.
create index subscription_of_customer on subscription (store_id, customer_id, id);
create index subscription_of_status on subscription (store_id, status, id);
create index subscription_next_at on subscription (next_at) where next_at is not null;

-- How the subscription of the session renews, and the subscription at the provider that the payment starts.
alter table payment add column renewal_terms jsonb;
alter table payment add column provider_subscription text;
-- The subscription that the payment renews; null for a payment of a session.
alter table payment add column renewal_of bigint;
drop index payment_completed_unique;
create unique index payment_completed_unique on payment (store_id, checkout_id)
  where settlement = 'completed' and renewal_of is null;
-- A renewal is recorded once. `provider_session` is the invoice at the provider.
create unique index payment_renewal_unique on payment (store_id, renewal_of, provider_session)
  where renewal_of is not null;

-- Of the first order of a subscription and its renewals; the latter have the session that started the subscription.
alter table store_order add column renewal boolean not null default false;
alter table store_order add column period_start timestamptz;
alter table store_order add column period_end timestamptz;
drop index store_order_checkout_unique;
create unique index store_order_checkout_unique on store_order (store_id, checkout_id) where not renewal;
-- One order per period.
create unique index store_order_period_unique on store_order (store_id, subscription_id, period_start)
  where subscription_id is not null;
