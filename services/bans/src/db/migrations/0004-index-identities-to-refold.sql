-- The rows to recompute. Empty afterwards.
create index if not exists ban_identity_to_refold on ban_identity (store_id, ban_id, position)
  where folding = 1 and type in ('customer_name', 'email', 'xbox_xuid');
