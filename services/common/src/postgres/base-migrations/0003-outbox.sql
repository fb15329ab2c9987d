-- Events, written in the transaction of the change that they tell about and published by the relay. They stay for 14
-- days after that, so that a lost stream can be filled again.
create table outbox (
  event_id uuid primary key,
  -- Order within one aggregate. NOTE Given out before the commit, so never a cursor over all rows: "position > last"
  -- would skip rows that are committed late.
  position bigint generated always as identity,
  store_id bigint,
  service text not null,
  aggregate text not null,
  aggregate_id text not null,
  aggregate_version bigint not null,
  verb text not null,
  -- Full name of the message, storekeep.customers.v1.CustomerCreated.
  type text not null,
  payload bytea not null,
  traceparent text,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  -- Place in the stream, of the latest publishing.
  stream_sequence bigint
);

create index outbox_unpublished on outbox (position) where published_at is null;
create index outbox_published on outbox (stream_sequence) where stream_sequence is not null;

-- Rows come and go; without this the dead ones of the busiest table would wait for a fifth of it to be dead.
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Which life of the stream the published rows are in.
create table outbox_stream (
  stream text primary key,
  -- When the stream was made, as NATS writes it; null before the first look.
  created text
);
