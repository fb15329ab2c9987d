-- Reservations of one customer that may be over: those that a customer at its limit gets its place from.
create index redemption_reserved_of_customer on redemption (store_id, coupon_id, customer_id, expires_at)
  where state = 'reserved';
