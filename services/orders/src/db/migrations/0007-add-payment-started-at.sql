-- When the shopper last chose the payment. Null: when it was created, as for renewals.
alter table payment add column started_at timestamptz;
