-- Counts the refunds of a payment without an order, starting with 1 of its settlement. Null: requested by staff, or made at the provider.
alter table refund add column attempt integer;
