create table customer (
  id bigint not null default flake_id(),
  store_id bigint not null,
  steam_id bigint,
  -- The Steam account as Steam tells it; a name without an account of its own never appears.
  steam_name text,
  steam_avatar_url text,
  minecraft_uuid uuid,
  -- The Minecraft account as Mojang tells it, or the name as typed at sign-in.
  minecraft_name text,
  minecraft_avatar_url text,
  minecraft_platform text check (minecraft_platform in ('unknown', 'java', 'bedrock')),
  xbox_xuid text,
  -- Set by the store.
  name text,
  metadata jsonb not null default '{}',
  -- The edition and name that open this customer in the direct flow; null unless that flow made it.
  sign_in_key text,
  -- Folded copies for comparing and searching. Written by the service, so that they do not depend on the locale that
  -- the database was made with.
  folded_name text,
  folded_minecraft_name text,
  search_text text not null,
  -- Tokens of a lower epoch are revoked.
  token_epoch integer not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (store_id, id)
);

create unique index customer_steam_id_unique on customer (store_id, steam_id) where steam_id is not null;
create unique index customer_minecraft_uuid_unique on customer (store_id, minecraft_uuid)
  where minecraft_uuid is not null;
create unique index customer_xbox_xuid_unique on customer (store_id, xbox_xuid) where xbox_xuid is not null;
create unique index customer_sign_in_key_unique on customer (store_id, sign_in_key) where sign_in_key is not null;

-- Lookups by name: the oldest of a name is the first of its index entries.
create index customer_folded_name on customer (store_id, folded_name, id) where folded_name is not null;
create index customer_folded_minecraft_name on customer (store_id, folded_minecraft_name, id)
  where folded_minecraft_name is not null;

-- Search for a part of a name.
create index customer_search_text on customer using gin (search_text gin_trgm_ops) where search_text <> '';
