-- Lists of deliveries are read in the order of ids, by endpoint, state and event type. A list without a state merges the three.
create index concurrently if not exists webhook_delivery_state on webhook_delivery (webhook_endpoint_id, status, id);
create index concurrently if not exists webhook_delivery_type on webhook_delivery (webhook_endpoint_id, event_type, status, id);
drop index concurrently if exists webhook_delivery_endpoint;
drop index concurrently if exists webhook_delivery_failed;
