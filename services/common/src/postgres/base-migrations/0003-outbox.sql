-- Events, written in the transaction of their change and published by the relay. Kept for 14 days after that, so that they
-- can be published again if the stream is lost.
create table outbox (
  event_id uuid primary key,
  -- Order within an aggregate. NOTE Not a cursor over all rows: values are assigned before the commit, so
  -- "position > last" would skip rows that commit late.
  position bigint generated always as identity,
  store_id bigint,
  service text not null,
  aggregate text not null,
  aggregate_id text not null,
  aggregate_version bigint not null,
  verb text not null,
  -- Full name of the message type: storekeep.customers.v1.CustomerCreated.
  type text not null,
  payload bytea not null,
  traceparent text,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  -- Sequence in the stream, of the latest publish.
  stream_sequence bigint
);

create index outbox_unpublished on outbox (position) where published_at is null;
create index outbox_published on outbox (stream_sequence) where stream_sequence is not null;

-- Rows are short-lived; by default autovacuum would only start once a fifth of the busiest table is dead rows.
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Identifies the stream that the published rows are in, since a stream can be deleted and created again.
create table outbox_stream (
  stream text primary key,
  -- Creation time of the stream, as reported by NATS; null before the first check.
  created text
);
