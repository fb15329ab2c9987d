-- A claimed customer is known only by a typed name (decision 0021): it has a sign_in_key and none of the ids that a store
-- verifies. The trigger holds this for every writer, including pods of the previous release, which adopt the UUID of the
-- account with the typed name, and keep the key when a store adds an id.
create function separate_claimed_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.steam_id := null;
    new.minecraft_uuid := null;
    new.xbox_xuid := null;
  else
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

-- Existing customers with a key and an id. A SteamID or an XUID was set by the store, which linked the customer: it becomes
-- verified. A UUID may come from the account with the typed name, and nothing tells it from one that the store set, so the
-- customer stays claimed and loses it; the store sets it again to link the customer. Locks only these rows.
update customer set sign_in_key = null, token_epoch = token_epoch + 1, version = version + 1,
  minecraft_uuid = null, minecraft_name = null, minecraft_avatar_url = null, minecraft_platform = null,
  folded_minecraft_name = null,
  -- The Minecraft name is the last of the names.
  search_text = case when minecraft_name is null then search_text
    else regexp_replace(search_text, E'\x1f?[^\x1f]*$', '') end
where sign_in_key is not null and (steam_id is not null or xbox_xuid is not null);

update customer set minecraft_uuid = null, version = version + 1
where sign_in_key is not null and minecraft_uuid is not null;
