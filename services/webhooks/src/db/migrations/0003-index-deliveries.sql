-- For resending a time range, and for the age of the oldest pending delivery.
create index webhook_delivery_created_at on webhook_delivery (store_id, webhook_endpoint_id, created_at);
create index webhook_delivery_pending_since on webhook_delivery (created_at) where status = 'pending';
