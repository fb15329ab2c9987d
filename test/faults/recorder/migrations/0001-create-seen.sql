-- One row per application of an event. Without any unique constraint: what is applied twice shall be seen twice.
create table seen (
  position bigint generated always as identity primary key,
  event_id uuid not null,
  customer_id bigint not null,
  version bigint not null
);
