-- How the subscription lines renew: {"intervalValue", "intervalScale", "discountedPeriods"}. Null without such lines, and in sessions
-- that pods of the previous release create.
alter table checkout_session add column subscription jsonb;
