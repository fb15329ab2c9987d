-- The id under which coupons holds the redemption of the coupon: a change of the coupon reserves the new one under a new id.
-- Null: the id of the session.
alter table checkout_session add column redemption_id bigint;
