-- A standby that lags may lack the last reservations of ranges. Each promotion starts a timeline of the log, so a range that was
-- last reserved on another timeline may still be in use by a process that its row does not know of.
create function flake_timeline() returns text
language plpgsql volatile parallel unsafe
as $body$
begin
  return left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when feature_not_supported or insufficient_privilege or undefined_function then
  -- Without a log of its own, such as on Amazon Aurora, a server shares the storage of the previous one and lacks nothing.
  return '';
end
$body$;

alter table flake_lease add column timeline text;
update flake_lease set timeline = flake_timeline();
