-- Stores whose tokens were all revoked at least once; stores without a row are at epoch 0.
create table store_token_epoch (
  store_id bigint primary key,
  token_epoch integer not null
);
