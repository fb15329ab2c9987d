create table store (
  id bigint primary key default flake_id(),
  slug text not null constraint store_slug_unique unique,
  name text not null,
  game text not null check (game in ('rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser')),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  logo_url text,
  logo_square_url text,
  bedrock_prefix text not null default '.',
  -- Null: the default of the pages.
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz
);

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
