create table store (
  id bigint primary key default flake_id(),
  slug text not null constraint store_slug_unique unique,
  game text not null check (game in ('rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser')),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  bedrock_prefix text not null default '.',
  name text not null,
  description text,
  logo_url text,
  logo_square_url text,
  icon_url text,
  -- Null: the default of the pages.
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  website_url text,
  support_email text,
  -- Null: the support email.
  reply_to text,
  links_terms text,
  links_privacy text,
  links_refunds text,
  seller_name text,
  seller_address text,
  seller_tax_id text,
  seller_register text,
  time_zone text not null default 'UTC',
  tax_mode text not null default 'none' check (tax_mode in ('none', 'inclusive', 'exclusive')),
  tax_provider text not null default 'registrations' check (tax_provider in ('registrations')),
  tax_country text,
  -- [{"country": "DE", "rate": 1900, "name": "VAT"}]
  tax_registrations jsonb not null default '[]',
  disabled_emails text[] not null default '{}',
  store_page_enabled boolean not null default false,
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
