-- At once, so that no ban of an XUID stops matching. If a ban has several forms of one, only one of them becomes the normal form.
update ban_identity set match_value = regexp_replace(match_value, '^0+(?=[0-9])', ''), folding = 2
where type = 'xbox_xuid' and match_value like '0_%' and not exists (
  select from ban_identity other
  where other.store_id = ban_identity.store_id and other.ban_id = ban_identity.ban_id and other.type = 'xbox_xuid'
    and regexp_replace(other.match_value, '^0+(?=[0-9])', '') = regexp_replace(ban_identity.match_value, '^0+(?=[0-9])', '')
    and (other.match_value not like '0_%' or other.position < ban_identity.position)
);
