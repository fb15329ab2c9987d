create table ban (
  id bigint not null default flake_id(),
  store_id bigint not null,
  reason text not null,
  -- Folded copy for the filter. Written by the service, so that it does not depend on the locale that the database was
  -- made with.
  folded_reason text not null,
  -- Null: permanent. Nothing runs when the time comes; who asks compares it with the clock.
  expires_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);
