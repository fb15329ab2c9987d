create table refund (
  id bigint not null default flake_id(),
  store_id bigint not null,
  payment_id bigint not null,
  -- Null if the payment completed no order.
  order_id bigint,
  amount bigint not null check (amount > 0),
  -- Units refunded by line: [{"position": 1, "quantity": 2}].
  lines jsonb not null,
  reason text,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  provider_reference text,
  failure_reason text,
  created_by text not null,
  created_at timestamptz not null,
  -- See payment.
  attempts integer not null default 0,
  next_at timestamptz,
  primary key (store_id, id),
  foreign key (store_id, payment_id) references payment (store_id, id)
);

create index refund_of_payment on refund (store_id, payment_id, id);
create index refund_next_at on refund (next_at) where next_at is not null;

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
