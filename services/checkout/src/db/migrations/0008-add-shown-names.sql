-- The names that the pages show, as they were when the session was created or its coupon applied. Null and empty in sessions that pods
-- of the previous release create.
alter table checkout_session add column coupon_code text;
alter table checkout_line add column answered_variables jsonb not null default '[]';
