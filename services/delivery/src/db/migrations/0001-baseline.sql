-- Copies of records of other services, from their events.

-- The games of stores, for matching players.
create table store_copy (
  store_id bigint not null primary key,
  game text not null,
  -- What Geyser puts before the names of Bedrock players.
  bedrock_prefix text not null,
  -- 0 until the first event of the store: the row exists to be locked.
  version bigint not null
);

-- What products deliver. Versions are never changed: an item keeps the version that was bought.
create table product_version (
  store_id bigint not null,
  id bigint not null,
  product_id bigint not null,
  name text not null,
  slug text,
  -- The commands, servers and expiry of the product: see DeliveryTerms.
  terms jsonb not null,
  -- The version number of the product. The highest one is the latest version.
  number bigint not null,
  -- Whether the product was deleted: staff can no longer hand it out.
  deleted boolean not null,
  primary key (store_id, id)
);

create unique index product_version_number on product_version (store_id, product_id, number);

-- The identities of customers. Commands are rendered from them, and players are matched with them.
create table player (
  store_id bigint not null,
  customer_id bigint not null,
  name text,
  -- Whether the name was typed by the shopper, so that anyone can have it.
  claimed boolean not null,
  steam_id bigint,
  steam_name text,
  minecraft_uuid uuid,
  minecraft_name text,
  -- Whether the Minecraft name is a gamertag, which Geyser prefixes.
  bedrock boolean not null,
  xbox_xuid text,
  -- The names by which a server may know the player, folded. Geyser prefixes the names of Bedrock players.
  folded_names text[] not null,
  -- Of Java, offline mode and Floodgate.
  uuids uuid[] not null,
  version bigint not null,
  primary key (store_id, customer_id)
);

create index player_steam_id on player (store_id, steam_id) where steam_id is not null;
create index player_uuids on player using gin (uuids);
create index player_names on player using gin (folded_names);

create table game_server (
  store_id bigint not null,
  id bigint not null default flake_id(),
  name text not null,
  enabled boolean not null,
  -- SHA-256 of the secret.
  token_hash bytea not null,
  token_reset_at timestamptz,
  -- Incremented when the token is reset, and when the server is enabled or disabled: earlier checks of the token are outdated.
  token_epoch bigint not null default 1,
  -- What the plugin reported. All null until one has connected.
  link_ip text,
  link_hostname text,
  link_platform text,
  link_version text,
  linked_at timestamptz,
  last_fetched_at timestamptz,
  last_fetched_from_ip text,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

alter table game_server set (fillfactor = 80);
create unique index game_server_token_hash_unique on game_server (token_hash);
-- For items that wait for a game server.
create index game_server_changed on game_server ((coalesce(updated_at, created_at))) where enabled;

create table global_command (
  store_id bigint not null,
  id bigint not null default flake_id(),
  stage text not null,
  content text not null,
  online_only boolean not null,
  override_execute_on_gameserver_ids bigint[] not null,
  execution_rule text not null check (execution_rule in ('once_per_item', 'once_per_order')),
  created_by text not null,
  created_at timestamptz not null,
  updated_by text,
  updated_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

-- When the paid period of a subscription ends, and whether another one is expected.
create table subscription_copy (
  store_id bigint not null,
  id bigint not null,
  -- Null until its first event.
  period_end timestamptz,
  renews boolean not null,
  version bigint not null,
  primary key (store_id, id)
);

-- One unit of a product that a customer owns or owned.
create table delivery_item (
  store_id bigint not null,
  id bigint not null,
  customer_id bigint not null,
  order_customer_id bigint,
  checkout_id bigint,
  order_id bigint,
  -- Position of the line in the order, starting at 1.
  order_line int,
  -- Position of the unit in its line, starting at 0.
  quantity_index int not null,
  subscription_id bigint,
  -- Position of the line among the subscription lines of its order, starting at 1: the same in every renewal.
  subscription_line int,
  -- The period of the subscription that the order paid.
  period_start timestamptz,
  period_end timestamptz,
  execute_on_gameserver_id bigint,
  -- Null for an inline product.
  product_id bigint,
  product_version_id bigint,
  product_name text not null,
  product_slug text,
  -- Like the terms of product_version. Null unless the product is inline.
  inline_terms jsonb,
  -- What placeholders say about the order: see OrderFacts. Null without an order.
  order_facts jsonb,
  custom_variables jsonb not null,
  gift boolean not null,
  state text not null check (state in ('usable', 'active', 'used', 'revoked', 'renewed')),
  skip_commands boolean not null,
  -- The stages whose commands are not queued yet, because the version of the product or a game server is not known yet.
  unplanned_stages text[] not null default '{}',
  -- When queueing them is tried again.
  plan_at timestamptz,
  added_by text,
  added_at timestamptz not null,
  active_at timestamptz,
  expirable boolean not null,
  expires_at timestamptz,
  -- When the sweep lets it expire: later than expires_at while its subscription is expected to renew.
  expiry_due_at timestamptz,
  override_expires_at timestamptz,
  removed_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text check (revoke_reason in ('refund', 'chargeback', 'manual')),
  revoked_by text,
  version bigint not null default 1,
  primary key (store_id, id)
);

-- A paid unit is one item, however often its event is applied.
create unique index delivery_item_of_unit on delivery_item (store_id, order_id, order_line, quantity_index)
  where order_id is not null;
create index delivery_item_of_customer on delivery_item (store_id, customer_id, id);
create index delivery_item_of_buyer on delivery_item (store_id, order_customer_id) where gift;
create index delivery_item_of_version on delivery_item (store_id, product_version_id) where unplanned_stages <> '{}';
create index delivery_item_of_subscription on delivery_item (store_id, subscription_id)
  where subscription_id is not null;
-- For the sweeps.
create index delivery_item_due on delivery_item (expiry_due_at)
  where state in ('usable', 'active') and expiry_due_at is not null;
create index delivery_item_unplanned on delivery_item (plan_at) where unplanned_stages <> '{}';

-- The global commands that run once per order and were queued, with the first item that reaches the stage.
create table order_command (
  store_id bigint not null,
  order_id bigint not null,
  global_command_id bigint not null,
  stage text not null,
  primary key (store_id, order_id, global_command_id, stage)
);

-- A command for one game server.
create table command_attempt (
  store_id bigint not null,
  id bigint not null default flake_id(),
  item_id bigint,
  game_server_id bigint not null,
  customer_id bigint,
  stage text not null,
  -- With its placeholders, for rendering it again.
  template text not null,
  -- Equal to the template while it is blocked.
  command text not null,
  state text not null check (state in ('pending', 'blocked', 'executed', 'unqueued')),
  missing_placeholders text[] not null,
  online_only boolean not null,
  required_slots int not null,
  -- The first command that this one repeats, because the staff queued it again.
  original_id bigint,
  -- The global command, if it runs once per order.
  once_id bigint,
  -- The identities of the player when the command was queued.
  steam_id bigint,
  minecraft_uuid uuid,
  customer_name text,
  queued_at timestamptz not null,
  -- With the id, the order of the commands of an item.
  due_at timestamptz not null,
  -- The earliest time for a poll to give it out: first when it is due, then when its lease ends. If it must wait for an earlier
  -- command of the item, when the lease of that command ends; never (infinity) while that command is stuck.
  available_at timestamptz not null,
  -- When the last lease ends or ended. Null until it was given out. Stays when it is unqueued, because its holder may execute it.
  leased_until timestamptz,
  first_given_out_at timestamptz,
  given_out_count int not null default 0,
  stuck_at timestamptz,
  executed_at timestamptz,
  executed_by_ip text,
  unqueued_at timestamptz,
  version bigint not null default 1,
  primary key (store_id, id)
);

-- For polls: the size of the queue of other servers, or of offline players, does not matter.
create index command_attempt_available on command_attempt (game_server_id, available_at, due_at, id)
  where state = 'pending' and stuck_at is null and not online_only;
create index command_attempt_available_online on command_attempt (game_server_id, available_at, due_at, id)
  where state = 'pending' and stuck_at is null and online_only;
create index command_attempt_of_player on command_attempt (game_server_id, customer_id, available_at, due_at, id)
  where state = 'pending' and stuck_at is null and online_only;
-- For the order of the commands of an item. Later ones also wait for the leases of unqueued ones.
create index command_attempt_given_out on command_attempt (game_server_id, item_id)
  where state in ('pending', 'unqueued') and leased_until is not null;
-- For the sweep that marks commands as stuck.
create index command_attempt_unacknowledged on command_attempt (first_given_out_at)
  where state = 'pending' and stuck_at is null and first_given_out_at is not null;
create index command_attempt_repeated on command_attempt (given_out_count)
  where state = 'pending' and stuck_at is null and given_out_count >= 20;
create index command_attempt_of_item on command_attempt (store_id, item_id, id) where item_id is not null;
create index command_attempt_of_customer on command_attempt (store_id, customer_id, id);
create index command_attempt_blocked on command_attempt (store_id, customer_id) where state = 'blocked';
create index command_attempt_blocked_of_item on command_attempt (store_id, item_id) where state = 'blocked';
-- For the deletion of a server, with the indexes above. Polls cannot use it.
create index command_attempt_held on command_attempt (game_server_id)
  where state = 'blocked' or (state = 'pending' and stuck_at is not null);
create index command_attempt_executed on command_attempt (store_id, game_server_id, executed_at)
  where state = 'executed';

-- The servers that have had commands. The lock of a row orders polls, acknowledgements and changes of the queue of its server.
-- A transaction that locks items locks them first.
create table command_queue (
  store_id bigint not null,
  game_server_id bigint not null,
  -- When a command for everybody is available. Null: there is none. May be too early, never too late.
  next_due_at timestamptz,
  -- Likewise for commands that wait for their player.
  next_online_due_at timestamptz,
  -- By the clock of the database. Every process reads the rows that have changed lately. Also set when the token of the server is no
  -- longer valid.
  changed_at timestamptz not null default clock_timestamp(),
  primary key (store_id, game_server_id)
);

create index command_queue_changed on command_queue (changed_at);
create index command_queue_due on command_queue (next_due_at) where next_due_at is not null;

alter table command_attempt set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, fillfactor = 80);
alter table command_queue set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, fillfactor = 50);

-- The last join of each player on each server, for 90 days.
create table player_join (
  store_id bigint not null,
  customer_id bigint not null,
  game_server_id bigint not null,
  joined_at timestamptz not null,
  ip_address text,
  primary key (store_id, customer_id, game_server_id)
);

create index player_join_old on player_join (joined_at);
