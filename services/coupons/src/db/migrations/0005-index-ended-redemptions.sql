-- What the ledger may forget: places that were given back, or never taken up, long ago.
create index redemption_ended on redemption (created_at) where state in ('released', 'expired');
