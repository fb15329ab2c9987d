create table webhook_endpoint (
  id bigint not null,
  store_id bigint not null,
  url text not null,
  -- Names of event types, or only '*'.
  event_types text[] not null,
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

-- The first bytes name the key that encrypted a value: they find those of an earlier key.
create index webhook_endpoint_headers_key on webhook_endpoint (substring(headers for 5)) where headers is not null;
create index webhook_secret_key on webhook_secret (substring(secret for 5));
