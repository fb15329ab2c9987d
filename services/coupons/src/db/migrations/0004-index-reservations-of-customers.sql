-- Reservations of one customer that may have expired, for a customer at its limit.
create index redemption_reserved_of_customer on redemption (store_id, coupon_id, customer_id, expires_at)
  where state = 'reserved';
