-- Flake ids are snowflake ids: 1 zero bit, 41 bits milliseconds since 2022-02-22T22:22:22Z, 10 bits node number of the
-- service, 12 bits increment. They are unique across the system: services have different node numbers, and all replicas
-- and connections of a service share one sequence.
--
-- The sequence counts in units of 1/4096 ms. Usually a call takes its next value. If the sequence has fallen 256 ms behind
-- the wall clock, one transaction at a time moves it forward; concurrent ones use the older time. It never goes back, even
-- if the wall clock does. So ids strictly increase in the order of creation and lag the clock by up to about 256 ms
-- while transactions are short. A burst of more than 4,096 per ms borrows from future time.
create sequence flake_sequence as bigint minvalue 1;

do $migration$
declare
  node bigint := current_setting('storekeep.node_number')::bigint;
  home text := current_schema();
begin
  execute format($create$
    create function flake_id() returns bigint
    language plpgsql volatile parallel unsafe
    as $body$
    declare
      ticks bigint := nextval(%1$L::regclass);
      now_ticks bigint := floor(extract(epoch from clock_timestamp()) * 1000 - 1645568542000)::bigint * 4096;
    begin
      -- 1,048,576 ticks are 256 ms: far more than concurrent calls can take between the check and the move.
      if ticks < now_ticks - 1048576 and pg_try_advisory_xact_lock(%2$s, %3$s) then
        if (select last_value from %1$s) < now_ticks - 1048576 then
          perform setval(%1$L::regclass, now_ticks);
        end if;
        ticks := nextval(%1$L::regclass);
      end if;
      return ((ticks >> 12) << 22) | %4$s | (ticks & 4095);
    end
    $body$
  $create$,
    format('%I.flake_sequence', home),
    hashtext('storekeep.flake'),
    hashtext(home),
    format('%s::bigint', node << 12)
  );
end
$migration$;
