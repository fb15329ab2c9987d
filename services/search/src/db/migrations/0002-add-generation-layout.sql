-- How the tables of a generation are laid out. Layout 1 is one table with a GIN index of hashed keys, which the previous
-- release builds and searches. Layout 2 adds an inverted index and a vocabulary that triggers maintain.
alter table generation add column layout int not null default 1;

-- When a generation of a newer layout than the live one was complete. It becomes live some minutes later, so that pods
-- of the previous release, which cannot search it, have ended by then.
alter table generation add column ready_at timestamptz;
