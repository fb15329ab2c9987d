-- A key is used once, by any writer: an insert is enough to claim it and to store the response. The lock makes a concurrent call
-- with the same key fail at once instead of waiting for the first one to end. Writers that have called
-- claim_idempotency_key hold it already.
create function use_idempotency_key() returns trigger language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended(new.scope || ' ' || new.key, 4711)) then
    raise exception 'a call with this idempotency key is in progress' using errcode = 'SK409';
  end if;
  delete from idempotency_record where scope = new.scope and key = new.key and expires_at <= now();
  return new;
end
$$;

create trigger use_idempotency_key before insert on idempotency_record
  for each row execute function use_idempotency_key();

alter table idempotency_record alter column expires_at set default now() + interval '24 hours';
