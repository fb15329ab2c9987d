-- A portal session is revoked once an epoch of its customer or its store is higher than at its creation. Sessions that exist, and
-- those of pods of the previous release, count as created at epoch 0: they stay valid until the first revocation.
alter table portal_session
  -- SHA-256 of the secret for which the link's token was exchanged; null until then.
  add column secret_hash bytea check (octet_length(secret_hash) = 32),
  add column customer_epoch integer not null default 0,
  add column store_epoch integer not null default 0;

create unique index portal_session_secret_hash_unique on portal_session (store_id, secret_hash) where secret_hash is not null;
