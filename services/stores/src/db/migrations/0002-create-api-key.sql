create table api_key (
  id bigint primary key default flake_id(),
  store_id bigint not null references store (id),
  name text not null,
  -- HMAC-SHA256 with the pepper; the secret itself is not stored.
  hash bytea not null check (octet_length(hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0),
  -- Incremented by changes of the key, not by its use.
  version bigint not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index api_key_store_id on api_key (store_id, id);
