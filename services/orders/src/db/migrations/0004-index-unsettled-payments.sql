-- For the age of the oldest one. There are few at any time.
create index payment_unsettled on payment (settlement, succeeded_at) where settlement in ('pending', 'refunding');
