create table ban (
  id bigint not null default flake_id(),
  store_id bigint not null,
  reason text not null,
  -- Case-folded copy for the filter. Written by the service, so that it does not depend on the database's locale.
  folded_reason text not null,
  -- Null: permanent. Nothing runs at expiry; every read compares this with the clock.
  expires_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

create table ban_identity (
  store_id bigint not null,
  ban_id bigint not null,
  type text not null
    check (type in ('steam', 'ip', 'customer', 'customer_name', 'email', 'minecraft_uuid', 'xbox_xuid')),
  -- Normalized value; two identities of a type are equal when this is.
  match_value text not null,
  -- Value as displayed.
  value text not null,
  -- Index in the ban's list.
  position smallint not null,
  -- Serves CheckBan: from an identity to its bans, oldest first.
  primary key (store_id, type, match_value, ban_id),
  foreign key (store_id, ban_id) references ban (store_id, id) on delete cascade
);

-- The identities of a ban, in list order.
create unique index ban_identity_of_ban on ban_identity (store_id, ban_id, position);

-- The bans with an identity of a given type, in list order.
create index ban_identity_of_type on ban_identity (store_id, type, ban_id);
