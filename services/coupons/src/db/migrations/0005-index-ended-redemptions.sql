-- Released and expired redemptions, which are deleted after a while.
create index redemption_ended on redemption (created_at) where state in ('released', 'expired');
