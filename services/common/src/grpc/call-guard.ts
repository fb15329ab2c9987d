import * as grpc from '@grpc/grpc-js'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { callerActors, callerNames, permittedPaths } from '@storekeep/proto/conventions/call-rights'
import { errors } from '../errors/index.ts'
import { cellOf } from '../flake/index.ts'
import type { ServerIdentity } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import type { CallActor } from './call.ts'
import type { Caller } from './caller-recognition.ts'
import { type CallFailure, faultToStatus, noFault } from './fault-status.ts'

/**
 * Admits only the calls that `callRights` and `callerActors` permit. A rejection carries no Fault, so the calling process
 * reports it as unavailable, never as its client's lack of permission.
 *
 * A store of another cell is unknown here, regardless of the database: two cells that serve one store would diverge.
 */
export function createCallGuard({ identity, cell, admitsAll = false, log, metrics }: GuardOptions): CallGuard {
  const { name: server } = identity
  const permitted = new Map(callerNames.map((caller) => [caller, new Set(permittedPaths(server, caller))]))
  const rejected = metrics.counter(
    'rpc_server_rejected_calls_total',
    'Calls between processes that were rejected for lack of a right, by reason.',
    ['reason'],
    { reason: ['unknown_caller', 'no_right', 'actor'] },
  )
  /** When each kind of rejection was last logged. Bounded: methods and callers are known, or named by our own CA. */
  const loggedAt = new Map<string, number>()

  function reject(reason: Reason, { label }: Caller, path: string): CallFailure {
    rejected.inc({ reason })
    const kind = `${reason} ${label} ${path}`
    const now = performance.now()
    if (now - (loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) >= logIntervalMs) {
      loggedAt.set(kind, now)
      log.error({ caller: label, method: path.slice(1), reason }, 'grpc call rejected')
    }
    return rejections[reason]
  }

  function checkRights(caller: Caller, path: string, actor: CallActor | undefined): CallFailure | undefined {
    const { name } = caller
    if (name === undefined) return reject('unknown_caller', caller, path)
    if (!permitted.get(name)?.has(path)) return reject('no_right', caller, path)
    if (!callerActors[name].includes(actor?.type ?? ActorType.ANONYMOUS)) return reject('actor', caller, path)
    return undefined
  }

  return {
    check(caller, path, { actor, storeId }) {
      const rejection = admitsAll ? undefined : checkRights(caller, path, actor)
      if (rejection) return rejection
      return storeId !== undefined && cell !== undefined && cellOf(storeId) !== cell ? unknownStore : undefined
    },
  }
}

export interface CallGuard {
  /**
   * @returns why the call is rejected; undefined if it may be handled
   */
  check(
    caller: Caller,
    path: string,
    call: { actor: CallActor | undefined; storeId: string | undefined },
  ): CallFailure | undefined
}

interface GuardOptions {
  /** The cell of the server. Undefined: it serves the stores of all cells. */
  cell?: number | undefined
  /** Whether every process may make every call; for tests. */
  admitsAll?: boolean
  identity: ServerIdentity
  log: Logger
  metrics: Metrics
}

type Reason = keyof typeof rejections

const rejections = {
  unknown_caller: rejection('The caller has not proven its name.'),
  no_right: rejection('The caller has no right to this method.'),
  actor: rejection('The caller may not name this actor.'),
}

function rejection(details: string): CallFailure {
  return { code: grpc.status.PERMISSION_DENIED, details, fault: noFault }
}

const unknownStore = faultToStatus(errors.notFound('store'))

const logIntervalMs = 10_000
