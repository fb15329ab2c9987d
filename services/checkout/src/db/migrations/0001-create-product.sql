create table product (
  id bigint not null default flake_id(),
  store_id bigint not null,
  slug text,
  name text not null,
  description text,
  label text,
  -- Of one unit, in minor units.
  price bigint not null check (price >= 0),
  allow_one_time_purchase boolean not null,
  allow_subscription boolean not null,
  subscription_interval_value integer,
  subscription_interval_scale text check (subscription_interval_scale in ('day', 'week', 'month', 'year')),
  tags bigint[] not null,
  custom_variable_ids bigint[] not null,
  is_hidden boolean not null,
  is_coupons_disabled boolean not null,
  is_gifting_disabled boolean not null,
  is_affiliate_links_disabled boolean not null,
  enabled_at timestamptz,
  enabled_until timestamptz,
  metadata jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

-- Slugs consist of ASCII, which every locale folds alike.
create unique index product_slug_unique on product (store_id, lower(slug)) where slug is not null;
