-- A settlement refunds a payment once, and a refund at the provider is recorded once.
create unique index concurrently if not exists refund_attempt_unique on refund (store_id, payment_id, attempt) where attempt is not null;
create unique index concurrently if not exists refund_provider_reference_unique on refund (store_id, payment_id, provider_reference) where provider_reference is not null;
