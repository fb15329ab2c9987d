-- The events that a consumer has applied, written in the transaction of the effect.
create table consumed_event (
  consumer text not null,
  event_id uuid not null,
  consumed_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

create index consumed_event_consumed_at on consumed_event (consumed_at);

-- The newest version of each aggregate that a consumer has applied, for consumers with deliver = newest. Rows of deleted
-- aggregates stay, so that a late update cannot restore the aggregate.
create table consumed_version (
  consumer text not null,
  aggregate text not null,
  aggregate_id text not null,
  version bigint not null,
  primary key (consumer, aggregate, aggregate_id)
);

-- Messages that a consumer gave up on, for operators to inspect and replay.
create table dead_letter (
  id bigint generated always as identity primary key,
  consumer text not null,
  -- Event id, or the position in the stream for a message without one.
  message_id text not null,
  subject text not null,
  headers jsonb not null,
  payload bytea not null,
  deliveries int not null,
  error text not null,
  failed_at timestamptz not null default now(),
  replayed_at timestamptz,
  replays int not null default 0,
  unique (consumer, message_id)
);
