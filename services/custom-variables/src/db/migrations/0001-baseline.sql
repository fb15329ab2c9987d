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

create table custom_variable_option (
  id bigint not null default flake_id(),
  store_id bigint not null,
  custom_variable_id bigint not null,
  name text not null,
  value text not null,
  -- Minor units if fixed, permille of the product's price if a percentage.
  price bigint not null,
  price_type text not null check (price_type in ('fixed', 'percentage')),
  is_default boolean not null,
  -- Position in the list, from 0.
  sort_order smallint not null,
  primary key (store_id, id),
  -- Also serves reading the options of a variable in order.
  unique (store_id, custom_variable_id, sort_order),
  unique (store_id, custom_variable_id, value),
  foreign key (store_id, custom_variable_id) references custom_variable (store_id, id) on delete cascade
);

create unique index custom_variable_option_default on custom_variable_option (store_id, custom_variable_id)
  where is_default;
