-- Stores whose tokens were revoked as a whole; any other store is at epoch 0.
create table store_token_epoch (
  store_id bigint primary key,
  token_epoch integer not null
);
