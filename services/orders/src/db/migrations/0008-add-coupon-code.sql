-- The code of the coupon when it was applied, for the receipt. Null in orders that pods of the previous release create.
alter table store_order add column coupon_code text;
