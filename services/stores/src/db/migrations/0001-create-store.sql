create table store (
  id bigint primary key default flake_id(),
  slug text not null constraint store_slug_unique unique,
  name text not null,
  game text not null check (game in ('rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser')),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  logo_url text,
  logo_square_url text,
  bedrock_prefix text not null default '.',
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz
);
