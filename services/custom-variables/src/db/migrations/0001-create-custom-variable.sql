create table custom_variable (
  id bigint not null default flake_id(),
  store_id bigint not null,
  identifier text not null,
  name text not null,
  description text not null,
  type text not null check (type in ('dropdown', 'text', 'number')),
  -- In RE2 syntax; answers are searched for it by the service.
  value_regex text check (value_regex is null or type <> 'dropdown'),
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

-- In any case. An identifier is ASCII, and folded as such whatever locale the database was made with.
create unique index custom_variable_identifier on custom_variable (store_id, lower(identifier collate "C"));
