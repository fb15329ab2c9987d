create table payment (
  id bigint not null default flake_id(),
  store_id bigint not null,
  checkout_id bigint not null,
  customer_id bigint not null,
  -- The shopper's address when the payment was started: personal data. Written by the service, so that it does not depend on the
  -- database's locale.
  folded_email text,
  provider text not null check (provider in ('test', 'manual', 'stripe', 'free')),
  status text not null check (status in ('pending', 'processing', 'succeeded', 'failed', 'canceled')),
  settlement text not null default 'none' check (settlement in ('none', 'pending', 'completed', 'refunding', 'refunded')),
  -- Minor units; after a success, what was received.
  amount bigint not null check (amount >= 0),
  currency text not null,
  -- What the provider needs to create the payment. Removed once it has, because it can contain the shopper's email address.
  request jsonb,
  -- The provider's page for the payment, and its id.
  redirect_url text,
  provider_session text,
  -- The payment at the provider.
  provider_reference text,
  failure_reason text,
  order_id bigint,
  -- How the subscription of the session renews, and the subscription at the provider that the payment starts.
  renewal_terms jsonb,
  provider_subscription text,
  -- The subscription that the payment renews; null for a payment of a session.
  renewal_of bigint,
  -- The member of staff or the key that marked a manual payment as paid. See `actorText`.
  marked_paid_by text,
  -- Whether the session was extended for a payment that takes days.
  extended boolean not null default false,
  -- The latest dispute of the payer.
  dispute_reference text,
  dispute_status text check (dispute_status in ('open', 'won', 'lost')),
  -- Attempts of the task since the last change, and when it acts on the payment next. Null: nothing to do.
  attempts integer not null default 0,
  next_at timestamptz,
  created_at timestamptz not null,
  -- When the shopper last chose the payment. Null: when it was created, as for renewals.
  started_at timestamptz,
  -- The language in which the shopper read the page then, as a BCP 47 tag.
  locale text,
  succeeded_at timestamptz,
  primary key (store_id, id),
  check ((settlement = 'none') = (status <> 'succeeded'))
);

-- Payments of a session, and at most one open payment of it with each provider, so that repeated calls continue the same one.
create index payment_of_checkout on payment (store_id, checkout_id, id);
create unique index payment_open_unique on payment (store_id, checkout_id, provider)
  where status in ('pending', 'processing');
-- At most one payment completes a session.
create unique index payment_completed_unique on payment (store_id, checkout_id)
  where settlement = 'completed' and renewal_of is null;
-- A renewal is recorded once. `provider_session` is the invoice at the provider.
create unique index payment_renewal_unique on payment (store_id, renewal_of, provider_session)
  where renewal_of is not null;
-- From a webhook to its payment.
create index payment_provider_reference on payment (store_id, provider, provider_reference)
  where provider_reference is not null;
create index payment_next_at on payment (next_at) where next_at is not null;
-- For the age of the oldest one. There are few at any time.
create index payment_unsettled on payment (settlement, succeeded_at) where settlement in ('pending', 'refunding');
-- Lists, in their order.
create index payment_of_email on payment (store_id, folded_email, id) where folded_email is not null;
create index payment_of_customer on payment (store_id, customer_id, id);
create index payment_of_status on payment (store_id, status, id);

-- The number of the latest order of each store.
create table order_counter (
  store_id bigint primary key,
  latest bigint not null
);

-- The number of the latest invoice of each store and year.
create table invoice_counter (
  store_id bigint not null,
  year smallint not null,
  latest bigint not null,
  primary key (store_id, year)
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
  -- Its code when it was applied, for the receipt.
  coupon_code text,
  affiliate_link_id bigint,
  subtotal_amount bigint not null,
  coupon_discount_amount bigint not null,
  affiliate_discount_amount bigint not null,
  total_amount bigint not null check (total_amount >= 0),
  -- How the order is taxed, as protobuf JSON, its net and its tax, and the year and number of its invoice. Null without tax.
  tax jsonb,
  net_amount bigint check (net_amount >= 0),
  tax_amount bigint check (tax_amount >= 0),
  invoice_year smallint,
  invoice_number bigint,
  refunded_amount bigint not null default 0 check (refunded_amount between 0 and total_amount),
  metadata jsonb not null,
  -- Protobuf JSON of the shopper's details: personal data.
  billing_details jsonb,
  -- Written by the service, so that it does not depend on the database's locale.
  folded_email text,
  -- The language in which the shopper paid, as a BCP 47 tag.
  locale text,
  payment_id bigint not null,
  payment_provider text not null,
  payment_reference text,
  subscription_id bigint,
  -- Whether the order renews the subscription. Such orders have the session that started it.
  renewal boolean not null default false,
  -- The period of the subscription.
  period_start timestamptz,
  period_end timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id),
  check (subtotal_amount - coupon_discount_amount - affiliate_discount_amount
    + case when (tax ->> 'inclusive')::boolean then 0 else coalesce(tax_amount, 0) end = total_amount),
  check (net_amount + tax_amount = total_amount),
  check (num_nulls(tax, net_amount, tax_amount, invoice_year, invoice_number) in (0, 5))
);

create unique index store_order_number_unique on store_order (store_id, number);
create unique index store_order_invoice_unique on store_order (store_id, invoice_year, invoice_number)
  where invoice_year is not null;
create unique index store_order_checkout_unique on store_order (store_id, checkout_id) where not renewal;
-- One order per period.
create unique index store_order_period_unique on store_order (store_id, subscription_id, period_start)
  where subscription_id is not null;
-- Lists, in their order.
create index store_order_of_customer on store_order (store_id, customer_id, id);
create index store_order_of_status on store_order (store_id, status, id);
create index store_order_of_checkout on store_order (store_id, checkout_id, id);
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

create table refund (
  id bigint not null default flake_id(),
  store_id bigint not null,
  payment_id bigint not null,
  -- Null if the payment completed no order.
  order_id bigint,
  amount bigint not null check (amount > 0),
  -- How the amount splits. Null if the order has no tax.
  net_amount bigint check (net_amount >= 0),
  tax_amount bigint check (tax_amount >= 0),
  -- Units refunded by line: [{"position": 1, "quantity": 2}].
  lines jsonb not null,
  reason text,
  -- Counts the refunds of a payment without an order, starting with 1 of its settlement. Null: requested by staff, or made at the provider.
  attempt integer,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  provider_reference text,
  failure_reason text,
  created_by text not null,
  created_at timestamptz not null,
  succeeded_at timestamptz,
  -- See payment.
  attempts integer not null default 0,
  next_at timestamptz,
  primary key (store_id, id),
  foreign key (store_id, payment_id) references payment (store_id, id),
  check (net_amount + tax_amount = amount)
);

-- For tax reports.
create index refund_succeeded_at on refund (store_id, succeeded_at) where tax_amount is not null;
create index refund_of_payment on refund (store_id, payment_id, id);
create index refund_of_order on refund (store_id, order_id, id) where order_id is not null;
create index refund_of_status on refund (store_id, status, id);
create index refund_next_at on refund (next_at) where next_at is not null;
-- A settlement refunds a payment once, and a refund at the provider is recorded once.
create unique index refund_attempt_unique on refund (store_id, payment_id, attempt) where attempt is not null;
create unique index refund_provider_reference_unique on refund (store_id, payment_id, provider_reference)
  where provider_reference is not null;

create table payment_settings (
  store_id bigint primary key,
  -- Null: the default of the installation.
  enabled_providers text[],
  manual_instructions text,
  -- Encrypted with ENCRYPTION_KEY.
  stripe_secret_key bytea,
  stripe_webhook_secret bytea,
  ban_on_chargeback boolean not null default false
);

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
  -- The rate of the tax that renewals add to the prices. Null if none is added.
  added_tax_rate integer,
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
