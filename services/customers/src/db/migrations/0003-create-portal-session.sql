create table portal_session (
  id bigint not null default flake_id(),
  store_id bigint not null,
  customer_id bigint not null,
  -- SHA-256 of the token, which itself is not stored.
  token_hash bytea not null constraint portal_session_token_hash_unique unique check (octet_length(token_hash) = 32),
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
