-- Their number is measured every ten seconds. Without an index this would read all endpoints of all stores.
create index concurrently if not exists webhook_endpoint_failing on webhook_endpoint (failing_since)
  where enabled and failing_since is not null;
