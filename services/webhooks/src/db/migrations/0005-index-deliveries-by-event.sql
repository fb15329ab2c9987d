-- With store_id first, like all other indexes, a plan that was made before the table was analyzed could use any of them to look for
-- the deliveries of an event, and read all of a store for each event.
create index webhook_delivery_by_event on webhook_delivery (event_id, store_id);
drop index webhook_delivery_event;
