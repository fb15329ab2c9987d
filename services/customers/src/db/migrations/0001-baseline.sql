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
  -- A number: without leading zeros, so that 007 and 7 are the same player.
  xbox_xuid text check (xbox_xuid not like '0_%'),
  -- Set by the store.
  name text,
  metadata jsonb not null default '{}',
  -- Edition and folded name of the direct flow; null unless that flow created the customer.
  sign_in_key text,
  -- When a claimed customer last signed in, to within a day.
  signed_in_at timestamptz,
  -- Whether a checkout session or a ban has named the claimed customer, so it must be kept.
  is_referenced boolean not null default false,
  -- Case-folded copies for comparing and searching. Written by the service, so they do not depend on the database's locale.
  folded_name text,
  folded_minecraft_name text,
  search_text text not null,
  -- 1- and 2-grams of the customer's names, except grams of only a-z and 0-9. The trigram index of search_text cannot find
  -- substrings that short, nor characters that the locale does not consider letters. Chinese names often have two
  -- characters. Written by the service.
  short_ngrams text[] not null default '{}',
  -- Tokens with a lower epoch are revoked.
  token_epoch integer not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (store_id, id),
  -- A claimed customer is known only by a typed name (decision 0021), so it has none of the ids that a store verifies.
  check (sign_in_key is null or num_nonnulls(steam_id, minecraft_uuid, xbox_xuid) = 0)
);

create unique index customer_steam_id_unique on customer (store_id, steam_id) where steam_id is not null;
create unique index customer_minecraft_uuid_unique on customer (store_id, minecraft_uuid)
  where minecraft_uuid is not null;
create unique index customer_xbox_xuid_unique on customer (store_id, xbox_xuid) where xbox_xuid is not null;
create unique index customer_sign_in_key_unique on customer (store_id, sign_in_key) where sign_in_key is not null;

-- Claimed customers that were never used, for the task that removes them.
create index customer_unused on customer (signed_in_at) where sign_in_key is not null and not is_referenced and version = 1;

-- Lookups by name: the first index entry of a name is its oldest customer.
create index customer_folded_name on customer (store_id, folded_name, id) where folded_name is not null;
create index customer_folded_minecraft_name on customer (store_id, folded_minecraft_name, id)
  where folded_minecraft_name is not null;

-- Substring search in names.
create index customer_search_text on customer using gin (search_text gin_trgm_ops) where search_text <> '';
create index customer_short_ngrams on customer using gin (short_ngrams) where short_ngrams <> '{}';

-- Stores whose tokens were all revoked at least once; stores without a row are at epoch 0.
create table store_token_epoch (
  store_id bigint primary key,
  token_epoch integer not null
);

create table portal_session (
  id bigint not null default flake_id(),
  store_id bigint not null,
  customer_id bigint not null,
  -- SHA-256 of the token, which itself is not stored.
  token_hash bytea not null constraint portal_session_token_hash_unique unique check (octet_length(token_hash) = 32),
  -- SHA-256 of the secret for which the link's token was exchanged; null until then.
  secret_hash bytea check (octet_length(secret_hash) = 32),
  -- The session is revoked once an epoch of its customer or its store is higher than at its creation.
  customer_epoch integer not null default 0,
  store_epoch integer not null default 0,
  flow text check (flow in ('subscription_cancel', 'subscription_payment_method_update')),
  subscription_id bigint,
  return_url text,
  version bigint not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (store_id, id),
  foreign key (store_id, customer_id) references customer (store_id, id),
  check ((flow is null) = (subscription_id is null))
);

create index portal_session_customer on portal_session (store_id, customer_id);
create unique index portal_session_secret_hash_unique on portal_session (store_id, secret_hash) where secret_hash is not null;

-- Sign-ins through Steam, each of which works once; kept until their assertion expires.
create table used_steam_assertion (
  store_id bigint not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (store_id, nonce)
);

create index used_steam_assertion_expiry on used_steam_assertion (store_id, expires_at);
