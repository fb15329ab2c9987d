create table custom_variable (
  id bigint not null default flake_id(),
  store_id bigint not null,
  identifier text not null,
  name text not null,
  description text not null,
  type text not null check (type in ('dropdown', 'text', 'number')),
  -- RE2 syntax; the service matches answers against it.
  value_regex text check (value_regex is null or type <> 'dropdown'),
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

-- Case-insensitive. Identifiers are ASCII, so the "C" collation folds them regardless of the database locale.
create unique index custom_variable_identifier on custom_variable (store_id, lower(identifier collate "C"));
