-- One row per application of an event, without a unique constraint, so that duplicates are visible.
create table seen (
  position bigint generated always as identity primary key,
  event_id uuid not null,
  customer_id bigint not null,
  version bigint not null,
  at timestamptz not null default clock_timestamp()
);
