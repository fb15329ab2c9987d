-- Finds the replayed rows to delete without reading the others.
create index dead_letter_replayed on dead_letter (replayed_at) where replayed_at is not null;
