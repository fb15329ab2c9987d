-- Processes create ids without a statement (decision 0023), in ranges that they reserve here. The 12 bits of the increment are
-- divided: flake_id() makes those below 2048, processes the others, 64 for each of 32 ranges. So both have the node number of the
-- service. No two ranges with the same bits overlap, whatever the clocks of the processes say.
create table flake_lease (
  -- The low 22 bits of the range's ids, without their 6 bits of increment.
  low_bits integer primary key,
  -- Milliseconds since 2022-02-22T22:22:22Z.
  reserved_until bigint not null default 0
);

-- The ids made so far use all 12 bits. They can contain future times, so ranges start a second after the last one.
insert into flake_lease (low_bits, reserved_until)
select (current_setting('storekeep.node_number')::integer << 12) | 2048 | (n << 6), (last_value >> 12) + 1000
from flake_sequence, generate_series(0, 31) as n;

-- As 0001, in units of 1/2048 ms. The sequence starts a second after all ids made so far, since a transaction that is still running
-- may use the previous function.
create sequence flake_tick as bigint minvalue 1;

do $migration$
declare
  node bigint := current_setting('storekeep.node_number')::bigint;
  home text := current_schema();
begin
  perform setval('flake_tick', (greatest(
    (select last_value >> 12 from flake_sequence),
    floor(extract(epoch from clock_timestamp()) * 1000 - 1645568542000)::bigint
  ) + 1000) << 11);
  execute format($create$
    create or replace function flake_id() returns bigint
    language plpgsql volatile parallel unsafe
    as $body$
    declare
      ticks bigint := nextval(%1$L::regclass);
      now_ticks bigint := floor(extract(epoch from clock_timestamp()) * 1000 - 1645568542000)::bigint * 2048;
    begin
      -- 524,288 ticks are 256 ms: far more than concurrent calls can take between the check and the move.
      if ticks < now_ticks - 524288 and pg_try_advisory_xact_lock(%2$s, %3$s) then
        if (select last_value from %1$s) < now_ticks - 524288 then
          perform setval(%1$L::regclass, now_ticks);
        end if;
        ticks := nextval(%1$L::regclass);
      end if;
      return ((ticks >> 11) << 22) | %4$s | (ticks & 2047);
    end
    $body$
  $create$,
    format('%I.flake_tick', home),
    hashtext('storekeep.flake'),
    hashtext(home),
    format('%s::bigint', node << 12)
  );
end
$migration$;

-- flake_sequence stays, since calls of the previous function may still be running. The next release can drop it.
