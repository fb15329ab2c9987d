import { create, type DescMethodUnary, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf'
import { decode, encode } from '@storekeep/proto/codec'
import type { Sql } from 'sql-template-tag'
import type { SecretBox } from '../crypto/index.ts'
import { errors, isFault } from '../errors/index.ts'
import type { Database, Queryable, Transaction } from '../postgres/index.ts'
import {
  claimKey,
  findResponse,
  keyOutcome,
  type RecordKey,
  type StoredResponse,
  storeResponse,
} from './idempotency-record.ts'
import { requestHash } from './request-hash.ts'

/**
 * Runs a mutating RPC. One transaction contains the effect, the events it publishes and, if the caller sent an
 * Idempotency-Key, the response. So a crash leaves all of these or none, and a retry returns the same bytes.
 *
 * With a key (contract section A, Idempotency; stored for 24 h per store and path):
 * - first use: runs the effect and stores its response;
 * - same key and request: returns the stored response without running the effect;
 * - an effect that throws stores nothing, so a later retry runs it again.
 *
 * An effect that only inserts rows (`tx.insert`, and events) is one statement, shared with concurrent calls. Inserting the
 * record of the key is then what detects a repeated call. Other effects claim the key before their first statement.
 *
 * The transaction ends immediately when the caller cancels or its deadline passes.
 *
 * @param call the call as passed to the handler
 * @param request its request, which the key is bound to
 * @param effect checks and changes data through `tx` only, and returns the response; runs again after a deadlock
 * @param options.secret the response contains a secret and is stored encrypted
 *
 * @throws ServiceFault `conflict` while a call with the same key is in progress, `idempotency-mismatch` if the key was used
 * with another request, `service-unavailable` if the database is unavailable, and whatever `effect` throws
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
    return create(method.output, await effect(tx)) as MessageShape<M['output']>
  }
  if (!idempotency) return deps.database.transaction(run, call)

  const record = recordKey(call, idempotency)
  const hash = requestHash(method, request)
  const replay = (known: StoredResponse) => decodeResponse(deps, call, record, known, hash)
  let isClaimed = false
  const claim = async (tx: Transaction): Promise<void> => {
    const known = await claimKey(tx, record)
    if (known === 'running') throw errors.stillRunning()
    if (known !== 'new') throw new KeyUsed(known)
    isClaimed = true
  }
  try {
    return await deps.database.transaction(async (tx) => {
      const response = await run(beforeFirstQuery(tx, claim))
      const bytes = encode(method.output, response as MessageInitShape<M['output']>)
      storeResponse(tx, record, encodeResponse(deps, hash, bytes, options, record))
      return response
    }, call)
  } catch (error) {
    if (error instanceof KeyUsed) return replay(error.known)
    if (keyOutcome(error) === 'running') throw errors.stillRunning()
    // Rows that a retry inserts again may violate other constraints before the key's.
    const known =
      isClaimed || isFault(error, 'service-unavailable') ? undefined : await findResponse(deps.database, record)
    if (known) return replay(known)
    throw error
  }
}

/**
 * Returns the stored response of the call's Idempotency-Key, undefined if there is none. Takes no locks. For RPCs that call
 * other services before `write`, which makes the final decision.
 *
 * @throws ServiceFault `idempotency-mismatch` if the key was used with another request, `service-unavailable` if the
 * database is unavailable
 */
export async function findStoredResponse<M extends DescMethodUnary>(
  deps: Pick<WriteDependencies, 'secrets'> & { database: Queryable },
  call: WriteCall<M>,
  request: MessageShape<M['input']>,
): Promise<MessageShape<M['output']> | undefined> {
  const { idempotency, method } = call
  if (!idempotency) return undefined
  const record = recordKey(call, idempotency)
  const known = await findResponse(deps.database, record)
  return known && decodeResponse(deps, call, record, known, requestHash(method, request))
}

/** The dependencies of `write`; part of every service's AppContext. */
export interface WriteDependencies {
  database: Pick<Database, 'transaction' | 'query'>
  /** Encrypts stored responses that contain a secret. */
  secrets: SecretBox
}

/** The part of a `Call` that `write` needs. */
interface WriteCall<M extends DescMethodUnary> {
  method: M
  storeId: string | undefined
  idempotency: { key: string; scope: string } | undefined
  signal?: AbortSignal
}

export interface WriteOptions {
  secret?: boolean
}

/** Calls `claim` before the first statement of the transaction, if there is one. */
function beforeFirstQuery(tx: Transaction, claim: (tx: Transaction) => Promise<void>): Transaction {
  let claiming: Promise<void> | undefined
  return {
    ...tx,
    async query<Row extends object>(statement: Sql) {
      claiming ??= claim(tx)
      await claiming
      return tx.query<Row>(statement)
    },
  }
}

/** Ends a transaction whose key has a stored response. */
class KeyUsed extends Error {
  readonly known: StoredResponse

  constructor(known: StoredResponse) {
    super('the idempotency key has been used')
    this.known = known
  }
}

/** The primary key of the call's idempotency record. */
function recordKey({ storeId }: { storeId: string | undefined }, { key, scope }: RecordKey): RecordKey {
  return { key, scope: `${storeId ?? '-'} ${scope}` }
}

function decodeResponse<M extends DescMethodUnary>(
  { secrets }: Pick<WriteDependencies, 'secrets'>,
  { method }: WriteCall<M>,
  { scope, key }: RecordKey,
  known: StoredResponse,
  hash: Buffer,
): MessageShape<M['output']> {
  if (!known.requestHash.equals(hash)) throw errors.idempotencyMismatch()
  const bytes = known.encrypted ? secrets.open(known.response, `${scope}\n${key}`) : known.response
  return decode(method.output, bytes) as MessageShape<M['output']>
}

function encodeResponse(
  deps: WriteDependencies,
  hash: Buffer,
  bytes: Uint8Array,
  options: WriteOptions,
  { scope, key }: RecordKey,
): StoredResponse {
  const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!options.secret) return { requestHash: hash, response: plain, encrypted: false }
  return { requestHash: hash, response: deps.secrets.seal(plain, `${scope}\n${key}`), encrypted: true }
}
