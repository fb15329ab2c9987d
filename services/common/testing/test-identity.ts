import {
  type CallerName,
  callerActors,
  callRights,
  type ProcessName,
  rpcsOf,
  type ServerName,
  serverNames,
} from '@storekeep/proto/conventions/call-rights'
import { deriveCallKeys, parseCallKeys } from '../src/crypto/index.ts'
import { createGrpcTransport, type Transport } from '../src/grpc/index.ts'
import type { ProcessIdentity } from '../src/identity/index.ts'

/** The secret that the processes of a test derive their keys from. */
export const testCallSecret = 'the-call-secret-of-the-tests-0123456789'

/** The identity of a process in a test, with the keys of `testCallSecret`. */
export function testIdentity<Name extends ProcessName>(name: Name): ProcessIdentity<Name> {
  return { name, tls: undefined, keys: parseCallKeys(deriveCallKeys(testCallSecret, name)) }
}

/**
 * A transport that makes each call as a process that may call the method and name the actor. If no process may, the call is
 * made as the first caller of the method, or as the gateway, and rejected.
 */
export function createTestTransport(
  to: ServerName,
  address: string,
  identityOf: (name: CallerName) => ProcessIdentity = testIdentity,
): Transport {
  const transports = new Map<CallerName, Transport>()
  const rpcs = new Map(rpcsOf(to).map(({ path, callers }) => [path, callers]))
  return {
    unary(method, request, options) {
      const callers = rpcs.get(`/${method.parent.typeName}/${method.name}`) ?? []
      const actor = options.actor?.type ?? 1
      const caller = callers.find((one) => callerActors[one].includes(actor)) ?? callers[0] ?? 'gateway'
      const transport = transports.get(caller) ?? createGrpcTransport({ to, address, identity: identityOf(caller) })
      transports.set(caller, transport)
      return transport.unary(method, request, options)
    },
    close() {
      for (const transport of transports.values()) transport.close()
    },
  }
}

/** The process that serves a gRPC service. Every process serves OperationsService and ExportService. */
export function serverOf({ typeName }: { typeName: string }): ServerName {
  const found = serverNames.find((name) => typeName in callRights[name])
  if (!found) throw new Error(`${typeName} is missing in proto/conventions/call-rights.ts`)
  return found
}
