import {
  create,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { SecretBox } from '../crypto/index.ts'
import { errors } from '../errors/index.ts'
import type { Database, Queryable, Transaction } from '../postgres/index.ts'
import { claimKey, findAnswer, type KnownAnswer, storeResponse } from './idempotency-record.ts'
import { requestHash } from './request-hash.ts'

/**
 * Runs a mutating rpc: one transaction holds the effect, the events it publishes and, when the caller sent an
 * Idempotency-Key, the answer. So a crash leaves all of these or none, and a retry is answered the same bytes.
 *
 * With a key (contract section A, Idempotency; kept 24 h per store and path):
 * - first use: the effect runs and its answer is kept;
 * - again with an equal request: the kept answer, without any effect;
 * - an effect that throws keeps nothing, so a later retry runs it.
 *
 * @param call the call as the handler got it
 * @param request its request, which the key is tied to
 * @param effect checks and changes, through `tx` only; it runs again after a deadlock. Returns the answer
 * @param options.secret the answer holds a secret and is kept encrypted
 *
 * @throws ServiceFault `conflict` while a call with the same key is still running, `idempotency-mismatch` when the
 * key came with another request before, `service-unavailable` when the database is away, and what `effect` throws
 */
export async function write<M extends DescMethodUnary>(
  deps: WriteDependencies,
  call: WriteCall<M>,
  request: MessageShape<M['input']>,
  effect: (tx: Transaction) => Promise<MessageInitShape<M['output']>>,
  options: WriteOptions = {},
): Promise<MessageShape<M['output']>> {
  const { idempotency, method } = call
  const run = async (tx: Transaction): Promise<MessageShape<M['output']>> => {
    tx.afterCommit(deps.relay.wake)
    return create(method.output, await effect(tx)) as MessageShape<M['output']>
  }
  if (!idempotency) return deps.database.transaction(run)

  const { key, scope } = placeOf(call, idempotency)
  const hash = requestHash(method, request)
  return deps.database.transaction(async (tx) => {
    const known = await claimKey(tx, scope, key)
    if (known === 'running') throw errors.stillRunning()
    if (known !== 'new') return readAnswer(deps, call, { scope, key }, known, hash)
    const response = await run(tx)
    storeResponse(tx, scope, key, prepareAnswer(deps, hash, toBinary(method.output, response), options, scope, key))
    return response
  })
}

/**
 * The answer that is kept for the call's Idempotency-Key, undefined when there is none. Changes nothing and waits for
 * nobody: for an rpc that has to ask other services before it comes to `write`, which then decides.
 *
 * @throws ServiceFault `idempotency-mismatch` when the key came with another request before, `service-unavailable` when
 * the database is away
 */
export async function findStoredResponse<M extends DescMethodUnary>(
  deps: Pick<WriteDependencies, 'secrets'> & { database: Queryable },
  call: WriteCall<M>,
  request: MessageShape<M['input']>,
): Promise<MessageShape<M['output']> | undefined> {
  const { idempotency, method } = call
  if (!idempotency) return undefined
  const place = placeOf(call, idempotency)
  const known = await findAnswer(deps.database, place.scope, place.key)
  return known && readAnswer(deps, call, place, known, requestHash(method, request))
}

/** What `write` needs of the process; a service's AppContext has all of it. */
export interface WriteDependencies {
  database: Pick<Database, 'transaction'>
  /** Woken after the commit, so that events leave at once. */
  relay: { wake: () => void }
  /** Encrypts the kept answers that hold a secret. */
  secrets: SecretBox
}

/** The part of a `Call` that `write` looks at. */
export interface WriteCall<M extends DescMethodUnary> {
  method: M
  storeId: string | undefined
  idempotency: { key: string; scope: string } | undefined
}

export interface WriteOptions {
  secret?: boolean
}

interface Place {
  scope: string
  key: string
}

/** Where the answer to a call with a key is kept. */
function placeOf({ storeId }: { storeId: string | undefined }, { key, scope }: Place): Place {
  return { key, scope: `${storeId ?? '-'} ${scope}` }
}

function readAnswer<M extends DescMethodUnary>(
  { secrets }: Pick<WriteDependencies, 'secrets'>,
  { method }: WriteCall<M>,
  { scope, key }: Place,
  known: KnownAnswer,
  hash: Buffer,
): MessageShape<M['output']> {
  if (!known.requestHash.equals(hash)) throw errors.idempotencyMismatch()
  const bytes = known.encrypted ? secrets.open(known.response, `${scope}\n${key}`) : known.response
  return fromBinary(method.output, bytes) as MessageShape<M['output']>
}

function prepareAnswer(
  deps: WriteDependencies,
  hash: Buffer,
  bytes: Uint8Array,
  options: WriteOptions,
  scope: string,
  key: string,
): KnownAnswer {
  const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!options.secret) return { requestHash: hash, response: plain, encrypted: false }
  return { requestHash: hash, response: deps.secrets.seal(plain, `${scope}\n${key}`), encrypted: true }
}
