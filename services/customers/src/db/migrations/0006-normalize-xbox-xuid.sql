-- An XUID is a number: 007 and 7 are the same player. The service drops leading zeros; the trigger does so for pods of the
-- previous release. It leaves a value alone that does not change, so that a duplicate from below can still be updated.
create function normalize_xbox_xuid() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.xbox_xuid is distinct from old.xbox_xuid then
    new.xbox_xuid := regexp_replace(new.xbox_xuid, '^0+(?=[0-9])', '');
  end if;
  return new;
end $$;

create trigger normalize_xbox_xuid before insert or update of xbox_xuid on customer for each row
  when (new.xbox_xuid like '0_%')
  execute function normalize_xbox_xuid();

-- Existing values. If several customers of a store have the same XUID, the one that already has the normal form, else the
-- oldest, is the one that is found by it. The others keep their value as it is, for the store to decide. Locks only these rows.
with normalized as (
  select store_id, id, xbox_xuid, regexp_replace(xbox_xuid, '^0+(?=[0-9])', '') as normal
  from customer where xbox_xuid like '0_%'
), oldest as (
  select distinct on (store_id, normal) store_id, id, normal from normalized
  where not exists (
    select from customer taken where taken.store_id = normalized.store_id and taken.xbox_xuid = normalized.normal
  )
  order by store_id, normal, id
)
update customer set xbox_xuid = oldest.normal, version = version + 1
from oldest where customer.store_id = oldest.store_id and customer.id = oldest.id;
