-- An email to a customer. Its text is written when it is sent, from the records that it names, and not stored.
create table email (
  store_id bigint not null,
  id bigint not null default flake_id(),
  kind text not null check (kind in ('receipt', 'refund', 'gift_received', 'subscription_renewed', 'payment_failed',
    'subscription_ending')),
  -- The change that the email is about, or the email that it repeats.
  cause text not null,
  customer_id bigint not null,
  -- Null for an email about a subscription until its first attempt, which finds the newest order.
  order_id bigint,
  subscription_id bigint,
  refund_amount bigint,
  -- The address, encrypted with ENCRYPTION_KEY: personal data. Null before the first attempt.
  recipient bytea,
  locale text,
  -- The header, the same in every attempt.
  message_id text not null,
  status text not null default 'pending' check (status in ('pending', 'sent', 'bounced', 'failed', 'suppressed')),
  attempts integer not null default 0,
  -- When the next attempt is due; while one is in flight, when its lease ends. Null at the end.
  due_at timestamptz default now(),
  -- The attempt in flight.
  lease uuid,
  -- Of the last attempt.
  failure_reason text,
  resend_of bigint,
  traceparent text,
  created_at timestamptz not null,
  ended_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id),
  check ((status = 'pending') = (due_at is not null)),
  check ((status = 'pending') = (ended_at is null)),
  check (lease is null or status = 'pending')
);

-- An email is updated at least twice.
alter table email set (fillfactor = 85);
-- However often an event is applied, it has one email.
create unique index email_cause_unique on email (store_id, cause);
create index email_of_order on email (store_id, order_id, id) where order_id is not null;
create index email_due on email (due_at) where status = 'pending';
-- Addresses that an earlier key encrypted.
create index email_recipient_key on email (substring(recipient for 5)) where recipient is not null;
