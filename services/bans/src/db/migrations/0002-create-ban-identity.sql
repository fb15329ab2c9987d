create table ban_identity (
  store_id bigint not null,
  ban_id bigint not null,
  type text not null
    check (type in ('steam', 'ip', 'customer', 'customer_name', 'email', 'minecraft_uuid', 'xbox_xuid')),
  -- In the normal form of its type; identities of a type are the same when this is.
  match_value text not null,
  -- As it is shown.
  value text not null,
  -- Its place in the list of its ban.
  position smallint not null,
  -- In the order of a check: from the identity to its bans, the oldest first.
  primary key (store_id, type, match_value, ban_id),
  foreign key (store_id, ban_id) references ban (store_id, id) on delete cascade
);

-- The identities of a ban, in their order.
create unique index ban_identity_of_ban on ban_identity (store_id, ban_id, position);

-- The bans with an identity of a type, in the order of a list.
create index ban_identity_of_type on ban_identity (store_id, type, ban_id);
