create table webhook_endpoint (
  id bigint not null,
  store_id bigint not null,
  url text not null,
  -- Names of event types, or only '*'.
  event_types text[] not null,
  -- Since when the endpoint receives each of its event types, in their order; without a time, since its creation.
  receives_since timestamptz[] not null default '{}',
  enabled boolean not null,
  description text not null,
  format text not null check (format in ('standard', 'discord')),
  header_names text[] not null,
  -- A JSON object of names and values, encrypted. Null without headers.
  headers bytea,
  -- Why the service disabled the endpoint. Null while it is enabled and if a caller disabled it.
  disabled_reason text check (disabled_reason in ('failing', 'gone')),
  -- When the first of the attempts was made that have all failed since. Changes of it do not increment the version.
  failing_since timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

-- Their number is measured every ten seconds. Without an index this would read all endpoints of all stores.
create index webhook_endpoint_failing on webhook_endpoint (failing_since) where enabled and failing_since is not null;

-- The signing secrets of an endpoint. The one without an end is the current one.
create table webhook_secret (
  store_id bigint not null,
  webhook_endpoint_id bigint not null,
  id bigint not null,
  -- Its text, encrypted.
  secret bytea not null,
  valid_until timestamptz,
  primary key (store_id, webhook_endpoint_id, id),
  foreign key (store_id, webhook_endpoint_id) references webhook_endpoint (store_id, id) on delete cascade
);

-- The first bytes name the key that encrypted a value: they find values under an earlier key.
create index webhook_endpoint_headers_key on webhook_endpoint (substring(headers for 5)) where headers is not null;
create index webhook_secret_key on webhook_secret (substring(secret for 5));

-- Events that at least one endpoint of their store wants, as they are sent. Kept for 30 days.
create table webhook_event (
  store_id bigint not null,
  -- The `webhook-id` of every request.
  id uuid not null,
  type text not null,
  -- The changed record. Events of one are sent to an endpoint in order.
  resource text not null,
  payload text not null,
  traceparent text,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store_id, id)
);

create index webhook_event_created_at on webhook_event (created_at);

-- An event on its way to an endpoint. Ids increase in the order in which the deliveries of an endpoint were scheduled.
create table webhook_delivery (
  store_id bigint not null,
  id bigint not null default flake_id(),
  webhook_endpoint_id bigint not null,
  event_id uuid not null,
  event_type text not null,
  resource text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  attempt_count int not null default 0,
  -- When the next attempt may start; during an attempt, when its lease ends. Null at the end, and while an earlier
  -- delivery of the resource to the endpoint is pending.
  due_at timestamptz,
  -- The attempt in flight.
  lease uuid,
  -- Of the last attempt.
  response_status int,
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (store_id, id),
  foreign key (store_id, event_id) references webhook_event (store_id, id) on delete cascade
);

-- With store_id first, like all other indexes, a plan that was made before the table was analyzed could use any of them to look for
-- the deliveries of an event, and read all of a store for each event.
create index webhook_delivery_by_event on webhook_delivery (event_id, store_id);
-- Lists of deliveries are read in the order of ids, by endpoint, state and event type. A list without a state merges the three.
create index webhook_delivery_state on webhook_delivery (webhook_endpoint_id, status, id);
create index webhook_delivery_type on webhook_delivery (webhook_endpoint_id, event_type, status, id);
-- For the senders.
create index webhook_delivery_pending on webhook_delivery (store_id, webhook_endpoint_id, resource, id)
  where status = 'pending';
create index webhook_delivery_due on webhook_delivery (store_id, webhook_endpoint_id, due_at)
  where status = 'pending' and due_at is not null;
create index webhook_delivery_leased on webhook_delivery (store_id, webhook_endpoint_id) where lease is not null;

-- Rows are updated several times within seconds; by default autovacuum would only start once a fifth of them is dead.
alter table webhook_delivery set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, fillfactor = 80);

create table webhook_attempt (
  store_id bigint not null,
  delivery_id bigint not null,
  number int not null,
  started_at timestamptz not null,
  duration_ms int not null,
  -- The values of the endpoint's own headers are masked.
  request_headers jsonb not null,
  -- Null without a response, like the other columns of it.
  response_status int,
  response_headers jsonb,
  response_body text,
  -- Null if it succeeded.
  error text,
  primary key (store_id, delivery_id, number),
  foreign key (store_id, delivery_id) references webhook_delivery (store_id, id) on delete cascade
);

-- The endpoints with deliveries. The lock of a row orders all changes of the pending deliveries of its endpoint. Rows of
-- deleted endpoints remain until their deliveries have been deleted.
create table webhook_queue (
  store_id bigint not null,
  webhook_endpoint_id bigint not null,
  -- When a sender looks for due deliveries. Null if there are none.
  due_at timestamptz,
  -- The attempts that have failed since webhook_endpoint.failing_since. Here, because the end of an attempt changes this row anyway.
  failed_attempts int not null default 0,
  last_failed_at timestamptz,
  primary key (store_id, webhook_endpoint_id)
);

create index webhook_queue_due on webhook_queue (due_at) where due_at is not null;
alter table webhook_queue set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, fillfactor = 50);
