-- An XUID is a number: 007 and 7 are the same player. The service drops leading zeros; the trigger does so for pods of the
-- previous release. It leaves a value alone that does not change, so that a duplicate that 0008 keeps can still be updated.
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
