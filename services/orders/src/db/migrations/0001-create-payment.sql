create table payment (
  id bigint not null default flake_id(),
  store_id bigint not null,
  checkout_id bigint not null,
  customer_id bigint not null,
  provider text not null check (provider in ('test', 'manual', 'stripe', 'free')),
  status text not null check (status in ('pending', 'processing', 'succeeded', 'failed', 'canceled')),
  settlement text not null default 'none' check (settlement in ('none', 'pending', 'completed', 'refunding', 'refunded')),
  -- Minor units; after a success, what was received.
  amount bigint not null check (amount >= 0),
  currency text not null,
  -- What the provider needs to create the payment. Removed once it has, because it can contain the shopper's e-mail address.
  request jsonb,
  -- The provider's page for the payment, and its id.
  redirect_url text,
  provider_session text,
  -- The payment at the provider.
  provider_reference text,
  failure_reason text,
  order_id bigint,
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
  succeeded_at timestamptz,
  primary key (store_id, id),
  check ((settlement = 'none') = (status <> 'succeeded'))
);

-- Payments of a session, and at most one open payment of it with each provider, so that repeated calls continue the same one.
create index payment_of_checkout on payment (store_id, checkout_id, id);
create unique index payment_open_unique on payment (store_id, checkout_id, provider)
  where status in ('pending', 'processing');
-- At most one payment completes a session.
create unique index payment_completed_unique on payment (store_id, checkout_id) where settlement = 'completed';
-- From a webhook to its payment.
create index payment_provider_reference on payment (store_id, provider, provider_reference)
  where provider_reference is not null;
create index payment_next_at on payment (next_at) where next_at is not null;
