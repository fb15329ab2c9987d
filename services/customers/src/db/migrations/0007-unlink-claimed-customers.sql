-- After 0005 and not in it: that transaction holds a lock on the whole table, this one only on the rows that it changes.
--
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
