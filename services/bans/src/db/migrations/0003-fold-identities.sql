-- The rule by which `match_value` was computed: 1, lower case; 2, `normalizeIdentity` with caseless text and XUIDs without leading
-- zeros. SQL cannot fold case like the service, whose task `refold-identities` recomputes the rows of rule 1. Pods of the previous
-- release keep writing such rows. The next release can drop the column with the task.
alter table ban_identity add column folding smallint not null default 1;

-- The rows to recompute. Empty afterwards.
create index ban_identity_to_refold on ban_identity (store_id, ban_id, position)
  where folding = 1 and type in ('customer_name', 'email', 'xbox_xuid');

-- At once, so that no ban of an XUID stops matching. If a ban has several forms of one, only one of them becomes the normal form.
update ban_identity set match_value = regexp_replace(match_value, '^0+(?=[0-9])', ''), folding = 2
where type = 'xbox_xuid' and match_value like '0_%' and not exists (
  select from ban_identity twin
  where twin.store_id = ban_identity.store_id and twin.ban_id = ban_identity.ban_id and twin.type = 'xbox_xuid'
    and regexp_replace(twin.match_value, '^0+(?=[0-9])', '') = regexp_replace(ban_identity.match_value, '^0+(?=[0-9])', '')
    and (twin.match_value not like '0_%' or twin.position < ban_identity.position)
);
