-- The payment that completed the session. Null if it is open, or was completed by the operator or by pods of the previous release.
alter table checkout_session add column payment_id bigint;
