-- Since when the endpoint receives each of its event types, in their order; without a time, since its creation.
alter table webhook_endpoint add column receives_since timestamptz[] not null default '{}';
