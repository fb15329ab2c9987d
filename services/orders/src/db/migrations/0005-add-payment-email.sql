-- The shopper's address when the payment was started: personal data. Written by the service, so that it does not depend on the
-- database's locale.
alter table payment add column folded_email text;

-- Lists, in their order.
create index payment_of_email on payment (store_id, folded_email, id) where folded_email is not null;
create index payment_of_customer on payment (store_id, customer_id, id);
create index payment_of_status on payment (store_id, status, id);
