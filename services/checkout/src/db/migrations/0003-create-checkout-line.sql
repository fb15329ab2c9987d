create table checkout_line (
  store_id bigint not null,
  checkout_id bigint not null,
  -- Starts at 1, in the order of the request.
  position smallint not null,
  -- Null for an inline product.
  product_id bigint,
  name text not null,
  quantity integer not null check (quantity > 0),
  -- Including the chosen options.
  unit_price bigint not null check (unit_price >= 0),
  options_amount bigint not null,
  -- The coupon discount of the whole line.
  discount_amount bigint not null check (discount_amount >= 0),
  total_amount bigint not null check (total_amount >= 0),
  subscription boolean not null,
  trial boolean not null,
  gift_to_customer_id bigint,
  selected_gameserver_id bigint,
  custom_variables jsonb not null,
  metadata jsonb not null,
  payout_splits jsonb not null,
  -- The terms of an inline product.
  inline_product jsonb,
  primary key (store_id, checkout_id, position),
  foreign key (store_id, checkout_id) references checkout_session (store_id, id) on delete cascade,
  check (unit_price * quantity = discount_amount + total_amount)
);
