-- A generation is one build of the index of all stores, filled from the owners and updated by their events. Each has a
-- separate table `document_<id>`, so that searches use the live one while another is being built.
create table generation (
  id bigint primary key generated always as identity,
  -- The rules by which its records are indexed; see `indexVersion`.
  index_version int not null,
  state text not null check (state in ('running', 'live', 'replaced', 'failed')),
  started_at timestamptz not null default now(),
  filled_at timestamptz,
  finished_at timestamptz,
  -- The process that builds it. Another one can take over when the lease expires.
  leased_by uuid,
  leased_until timestamptz,
  -- Consecutive failures other than an unreachable owner since the last progress.
  failures int not null default 0,
  problem text,
  -- False once its table was dropped.
  has_table boolean not null default true
);

create unique index generation_running on generation (state) where state = 'running';
create unique index generation_live on generation (state) where state = 'live';

-- Progress of a rebuild by record type.
create table generation_part (
  generation bigint not null references generation (id),
  aggregate text not null,
  -- The position of the last record that was read.
  after_store_id bigint not null default 0,
  after_id bigint not null default 0,
  filled bigint not null default 0,
  is_filled boolean not null default false,
  checked bigint not null default 0,
  drifted bigint not null default 0,
  primary key (generation, aggregate)
);

-- Number of documents, so that searches need not count them in a large store. Each number is spread over several slots,
-- so that concurrent transactions rarely wait for each other.
create table document_count (
  generation bigint not null,
  store_id bigint not null,
  type text not null,
  slot int not null,
  count bigint not null,
  primary key (generation, store_id, type, slot)
);

-- When the index is verified next. The replica that advances it runs the verification.
create table next_check (
  only_row boolean primary key default true check (only_row),
  due_at timestamptz not null
);

insert into next_check (due_at) values (now());
