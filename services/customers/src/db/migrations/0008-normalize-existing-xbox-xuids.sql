-- After 0006 and not in it, for the reason given in 0007.
--
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
