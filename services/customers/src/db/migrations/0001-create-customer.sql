create table customer (
  id bigint not null default flake_id(),
  store_id bigint not null,
  steam_id bigint,
  -- From Steam; null until looked up.
  steam_name text,
  steam_avatar_url text,
  minecraft_uuid uuid,
  -- From Mojang, or the name typed at sign-in.
  minecraft_name text,
  minecraft_avatar_url text,
  minecraft_platform text check (minecraft_platform in ('unknown', 'java', 'bedrock')),
  xbox_xuid text,
  -- Set by the store.
  name text,
  metadata jsonb not null default '{}',
  -- Edition and folded name of the direct flow; null unless that flow created the customer.
  sign_in_key text,
  -- Case-folded copies for comparing and searching. Written by the service, so they do not depend on the database's locale.
  folded_name text,
  folded_minecraft_name text,
  search_text text not null,
  -- Tokens with a lower epoch are revoked.
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

-- Lookups by name: the first index entry of a name is its oldest customer.
create index customer_folded_name on customer (store_id, folded_name, id) where folded_name is not null;
create index customer_folded_minecraft_name on customer (store_id, folded_minecraft_name, id)
  where folded_minecraft_name is not null;

-- Substring search in names.
create index customer_search_text on customer using gin (search_text gin_trgm_ops) where search_text <> '';
