-- Flake ids are snowflake ids: 1 zero bit, 41 bits milliseconds since 2022-02-22T22:22:22Z, 10 bits node number of the
-- service, 12 bits increment. They are unique across the system: services have different node numbers, and all replicas
-- and connections of a service share the increments. flake_id() uses those below 2048. Processes use the others without a
-- statement (decision 0023), in ranges that they reserve in flake_lease.
--
-- The sequence counts in units of 1/2048 ms. Usually a call takes its next value. If the sequence has fallen 256 ms behind
-- the wall clock, one transaction at a time moves it forward; concurrent ones use the older time. It never goes back, even
-- if the wall clock does. So ids strictly increase in the order of creation and lag the clock by up to about 256 ms
-- while transactions are short. A burst of more than 2,048 per ms borrows from future time.
create sequence flake_tick as bigint minvalue 1;
select setval('flake_tick', floor(extract(epoch from clock_timestamp()) * 1000 - 1645568542000)::bigint * 2048);

do $migration$
begin
  execute format($create$
    create function flake_id() returns bigint
    language plpgsql volatile parallel unsafe set search_path from current
    as $body$
    declare
      ticks bigint := nextval('flake_tick');
      now_ticks bigint := floor(extract(epoch from clock_timestamp()) * 1000 - 1645568542000)::bigint * 2048;
    begin
      -- 524,288 ticks are 256 ms: far more than concurrent calls can take between the check and the move.
      if ticks < now_ticks - 524288 and pg_try_advisory_xact_lock(%1$s, %2$s) then
        if (select last_value from flake_tick) < now_ticks - 524288 then
          perform setval('flake_tick', now_ticks);
        end if;
        ticks := nextval('flake_tick');
      end if;
      return ((ticks >> 11) << 22) | %3$s::bigint | (ticks & 2047);
    end
    $body$
  $create$,
    hashtext('storekeep.flake'),
    hashtext(current_schema()),
    current_setting('storekeep.node_number')::bigint << 12
  );
end
$migration$;

-- A standby that lags may lack the last reservations of ranges. Each promotion starts a timeline of the log, so a range that was
-- last reserved on another timeline may still be in use by a process that its row does not know of.
create function flake_timeline() returns text
language plpgsql volatile parallel unsafe set search_path from current
as $body$
begin
  return left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when feature_not_supported or insufficient_privilege or undefined_function then
  -- A server without a separate log, such as on Amazon Aurora, shares the storage of the previous server and lacks nothing.
  return '';
end
$body$;

-- The 2,048 increments of processes are 32 ranges of 64. No two reservations of a range overlap, regardless of the clocks of the
-- processes.
create table flake_lease (
  -- The low 22 bits of the range's ids, without their 6 bits of increment.
  low_bits integer primary key,
  -- Milliseconds since 2022-02-22T22:22:22Z.
  reserved_until bigint not null default 0,
  -- When it was reserved; see flake_timeline().
  timeline text
);

insert into flake_lease (low_bits, timeline)
select (current_setting('storekeep.node_number')::integer << 12) | 2048 | (n << 6), flake_timeline()
from generate_series(0, 31) as n;

-- The stored response of each Idempotency-Key, written in the transaction of its effect.
create table idempotency_record (
  -- Store, verb and concrete path of the call.
  scope text not null,
  key text not null,
  -- SHA-256 of the method and the request.
  request_hash bytea not null,
  -- The serialized response, encrypted if it contains a secret.
  response bytea not null,
  encrypted boolean not null,
  expires_at timestamptz not null default now() + interval '24 hours',
  primary key (scope, key)
);

create index idempotency_record_expires_at on idempotency_record (expires_at);

-- Claims a key for the current transaction and returns its stored response. A function, because each statement of a volatile
-- function has a new snapshot: once the lock is acquired, it sees the record of a call that has just committed. A single
-- statement would use its snapshot from before the lock.
create function claim_idempotency_key(
  in claimed_scope text, in claimed_key text,
  out claimed boolean, out request_hash bytea, out response bytea, out encrypted boolean
)
language plpgsql volatile parallel unsafe set search_path from current
as $$
begin
  claimed := pg_try_advisory_xact_lock(hashtextextended(claimed_scope || ' ' || claimed_key, 4711));
  if not claimed then
    return;
  end if;
  select r.request_hash, r.response, r.encrypted into request_hash, response, encrypted
    from idempotency_record r
    where r.scope = claimed_scope and r.key = claimed_key and r.expires_at > now();
end
$$;

-- A key is used once, by any writer: an insert is enough to claim it and to store the response. The lock makes a concurrent call
-- with the same key fail immediately instead of waiting for the first one to end. Writers that have called
-- claim_idempotency_key hold it already.
create function use_idempotency_key() returns trigger
language plpgsql set search_path from current
as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended(new.scope || ' ' || new.key, 4711)) then
    raise exception 'a call with this idempotency key is in progress' using errcode = 'SK409';
  end if;
  delete from idempotency_record where scope = new.scope and key = new.key and expires_at <= now();
  return new;
end
$$;

create trigger use_idempotency_key before insert on idempotency_record
  for each row execute function use_idempotency_key();

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
  created text,
  -- Counts the checks of the stream for lost events. Relays store it with what they publish, so that a relay that was publishing
  -- during a check does not mark events as published that the stream has lost.
  epoch bigint not null default 0
);

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

-- Finds the replayed rows to delete without reading the others.
create index dead_letter_replayed on dead_letter (replayed_at) where replayed_at is not null;

-- How far an ordered consumer has read the stream, and the process that reads for all replicas.
create table stream_position (
  consumer text primary key,
  -- Creation time of the stream, as reported by NATS; null before the first read.
  stream_created text,
  sequence bigint not null default 0,
  -- Event at that sequence, which reveals that the server has lost the tail of the stream.
  event_id text,
  -- The reading process. It is replaced after `held_until`, so that a killed process is.
  holder uuid,
  held_until timestamptz not null default '-infinity'
);
