create table affiliate_link (
  id bigint not null default flake_id(),
  store_id bigint not null,
  wallet_id text not null,
  enabled boolean not null,
  code text not null,
  -- Folded by the service, independently of the locale of the database.
  folded_code text not null,
  referer_type text not null check (referer_type in ('first_referer', 'last_referer')),
  tracking_length_days integer not null,
  apply_for_subscriptions boolean not null,
  discount_type text not null check (discount_type in ('none', 'fixed', 'percentage')),
  discount_amount bigint not null,
  commission_type text not null check (commission_type in ('none', 'fixed', 'percentage')),
  commission_amount bigint not null,
  -- The steps, in their order: billing cycles, and the commission of each.
  step_sequences integer[] not null,
  step_amounts bigint[] not null check (cardinality(step_amounts) = cardinality(step_sequences)),
  last_commission_amount_step_repeats boolean not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

create unique index affiliate_link_code_unique on affiliate_link (store_id, folded_code);
