-- The index of all stores, built once from its owners and kept up by their events. A rebuild makes a new generation,
-- with a table `document_<id>` of its own, while searches use the one that is live.
create table generation (
  id bigint primary key generated always as identity,
  -- How records are indexed in it; see `indexVersion`.
  index_version int not null,
  state text not null check (state in ('running', 'live', 'replaced', 'failed')),
  started_at timestamptz not null default now(),
  filled_at timestamptz,
  finished_at timestamptz,
  -- Which process builds it; free for others after a while without a sign of life.
  leased_by uuid,
  leased_until timestamptz,
  -- Attempts that ended with something else than an owner being away, since the last step forward.
  failures int not null default 0,
  problem text,
  -- Whether its table still exists.
  has_table boolean not null default true
);

create unique index generation_running on generation (state) where state = 'running';
create unique index generation_live on generation (state) where state = 'live';

-- How far a rebuild is, by kind of record.
create table generation_part (
  generation bigint not null references generation (id),
  aggregate text not null,
  -- The last record that was read.
  after_store_id bigint not null default 0,
  after_id bigint not null default 0,
  filled bigint not null default 0,
  is_filled boolean not null default false,
  checked bigint not null default 0,
  drifted bigint not null default 0,
  primary key (generation, aggregate)
);

-- How many documents there are, so that nobody has to count those of a large store. Several rows each, so that
-- transactions of different connections seldom wait for each other.
create table document_count (
  generation bigint not null,
  store_id bigint not null,
  type text not null,
  slot int not null,
  count bigint not null,
  primary key (generation, store_id, type, slot)
);

-- Run by the statements that write into a table of documents; its argument is the generation.
create function count_inserted_documents() returns trigger language plpgsql as $$
begin
  insert into document_count as known (generation, store_id, type, slot, count)
  select tg_argv[0]::bigint, store_id, type, pg_backend_pid() % 8, count(*)
  from new_rows where not deleted group by store_id, type order by store_id, type
  on conflict (generation, store_id, type, slot) do update set count = known.count + excluded.count;
  return null;
end $$;

create function count_updated_documents() returns trigger language plpgsql as $$
begin
  insert into document_count as known (generation, store_id, type, slot, count)
  select tg_argv[0]::bigint, store_id, type, pg_backend_pid() % 8, sum(change)
  from (
    select store_id, type, 1 as change from new_rows where not deleted
    union all
    select store_id, type, -1 from old_rows where not deleted
  ) changes
  group by store_id, type having sum(change) <> 0 order by store_id, type
  on conflict (generation, store_id, type, slot) do update set count = known.count + excluded.count;
  return null;
end $$;

-- When the index is next compared with its owners; one process at a time does it.
create table next_check (
  only_row boolean primary key default true check (only_row),
  due_at timestamptz not null
);

insert into next_check (due_at) values (now());
