-- The attempts that have failed since webhook_endpoint.failing_since. Here, because the end of an attempt changes this row anyway.
alter table webhook_queue
  add column failed_attempts int not null default 0,
  add column last_failed_at timestamptz;
