-- A claimed customer is known only by a typed name (decision 0021): it has a sign_in_key and none of the ids that a store
-- verifies. The trigger holds this for every writer, including pods of the previous release, which adopt the UUID of the
-- account with the typed name, and keep the key when a store adds an id. It leaves existing customers with both alone: 0007 decides
-- about them.
create function separate_claimed_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.steam_id := null;
    new.minecraft_uuid := null;
    new.xbox_xuid := null;
  elsif num_nonnulls(old.steam_id, old.minecraft_uuid, old.xbox_xuid) = 0 then
    new.sign_in_key := null;
    if new.minecraft_name is not null then
      new.search_text := regexp_replace(new.search_text, E'\x1f?[^\x1f]*$', '');
    end if;
    new.minecraft_name := null;
    new.minecraft_avatar_url := null;
    new.folded_minecraft_name := null;
    new.token_epoch := old.token_epoch + 1;
  end if;
  return new;
end $$;

create trigger separate_claimed_customer before insert or update on customer for each row
  when (new.sign_in_key is not null and num_nonnulls(new.steam_id, new.minecraft_uuid, new.xbox_xuid) > 0)
  execute function separate_claimed_customer();
