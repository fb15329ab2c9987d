-- Ranges of flake ids that processes have reserved, so that they can create ids without a statement (decision 0023). Up to 32
-- processes of a service reserve at a time; each uses a node number that flake_id() does not: 512 + 32 * service + n. A range
-- is all ids of its node up to a time. No two ranges of a node overlap, whatever the clocks of the processes say.
create table flake_lease (
  node integer primary key,
  -- Milliseconds since 2022-02-22T22:22:22Z.
  reserved_until bigint not null default 0
);

insert into flake_lease (node)
select 512 + 32 * current_setting('storekeep.node_number')::integer + n from generate_series(0, 31) as n;
