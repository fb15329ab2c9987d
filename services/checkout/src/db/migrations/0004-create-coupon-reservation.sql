-- The intent to reserve a coupon for a session that does not exist yet. A row is written before coupons is called. It
-- is deleted in the transaction that writes the session, or after the reservation has been released. A process that dies
-- in between leaves a row from which the sweeper releases the reservation.
create table coupon_reservation (
  store_id bigint not null,
  checkout_id bigint not null,
  -- The sweeper owns a releasing row: its session can no longer be written.
  state text not null default 'reserving' check (state in ('reserving', 'releasing')),
  -- Of the call, if it has an Idempotency-Key: calls with the same key share one reservation.
  idempotency_scope text,
  idempotency_key text,
  created_at timestamptz not null,
  -- Attempts to release the reservation.
  attempts integer not null default 0,
  -- When the sweeper releases it.
  next_at timestamptz not null,
  primary key (store_id, checkout_id)
);

create unique index coupon_reservation_call_unique on coupon_reservation (store_id, idempotency_scope, idempotency_key)
  where idempotency_key is not null;
create index coupon_reservation_next_at on coupon_reservation (next_at);
