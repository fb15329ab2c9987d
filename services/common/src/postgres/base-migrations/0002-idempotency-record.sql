-- The stored response of each Idempotency-Key, written in the transaction of its effect.
create table idempotency_record (
  -- Store, verb and concrete path of the call.
  scope text not null,
  key text not null,
  -- SHA-256 of the method and the request.
  request_hash bytea not null,
  -- The serialized response, encrypted if it contains a secret.
  response bytea not null,
  encrypted boolean not null,
  expires_at timestamptz not null,
  primary key (scope, key)
);

create index idempotency_record_expires_at on idempotency_record (expires_at);

-- Claims a key for the current transaction and returns its stored response. A function, because each statement of a volatile
-- function has a new snapshot: once the lock is acquired, it sees the record of a call that has just committed. A single
-- statement would use its snapshot from before the lock.
create function claim_idempotency_key(
  in claimed_scope text, in claimed_key text,
  out claimed boolean, out request_hash bytea, out response bytea, out encrypted boolean
)
language plpgsql volatile parallel unsafe
as $$
begin
  claimed := pg_try_advisory_xact_lock(hashtextextended(claimed_scope || ' ' || claimed_key, 4711));
  if not claimed then
    return;
  end if;
  select r.request_hash, r.response, r.encrypted into request_hash, response, encrypted
    from idempotency_record r
    where r.scope = claimed_scope and r.key = claimed_key and r.expires_at > now();
end
$$;
