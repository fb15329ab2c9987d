-- The rule by which `match_value` was computed: 1, lower case; 2, `normalizeIdentity` with caseless text and XUIDs without leading
-- zeros. SQL cannot fold case like the service, whose task `refold-identities` recomputes the rows of rule 1. Pods of the previous
-- release keep writing such rows. The next release can drop the column with the task.
alter table ban_identity add column folding smallint not null default 1;
