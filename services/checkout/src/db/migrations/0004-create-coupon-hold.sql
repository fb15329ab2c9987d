-- The slots of coupons that are being taken for sessions that do not exist yet, each from before the slot is asked for
-- until the session is written, in the same transaction, or the slot is given back. Whatever dies in between, a row is
-- left that says what to do.
create table coupon_hold (
  store_id bigint not null,
  checkout_id bigint not null,
  coupon_id bigint not null,
  -- A row that is releasing belongs to the sweeper: its session can no longer be written.
  state text not null default 'reserving' check (state in ('reserving', 'releasing')),
  -- Of the call, when it has an Idempotency-Key: calls with the same one take one slot together.
  idempotency_scope text,
  idempotency_key text,
  created_at timestamptz not null,
  -- Tries to give the slot back.
  attempts integer not null default 0,
  -- When the sweeper looks at it.
  next_at timestamptz not null,
  primary key (store_id, checkout_id)
);

create unique index coupon_hold_call_unique on coupon_hold (store_id, idempotency_scope, idempotency_key)
  where idempotency_key is not null;
create index coupon_hold_next_at on coupon_hold (next_at);
