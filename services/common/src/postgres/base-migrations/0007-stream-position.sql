-- How far an ordered consumer has read the stream, and the process that reads for all replicas.
create table stream_position (
  consumer text primary key,
  -- Creation time of the stream, as reported by NATS; null before the first read.
  stream_created text,
  sequence bigint not null default 0,
  -- Event at that sequence, which reveals that the server has lost the tail of the stream.
  event_id text,
  -- The reading process. It is replaced after `held_until`, so that a killed process is.
  holder uuid,
  held_until timestamptz not null default '-infinity'
);
