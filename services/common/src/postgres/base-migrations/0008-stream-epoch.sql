-- Counts the checks of the stream for lost events. Relays store it with what they publish, so that one that was publishing
-- during a check does not mark events as published that the stream has lost.
alter table outbox_stream add column epoch bigint not null default 0;
