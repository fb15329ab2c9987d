create table ban (
  id bigint not null default flake_id(),
  store_id bigint not null,
  reason text not null,
  -- Case-folded copy for the filter. Written by the service, so that it does not depend on the database's locale.
  folded_reason text not null,
  -- Null: permanent. Nothing runs at expiry; every read compares this with the clock.
  expires_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);
