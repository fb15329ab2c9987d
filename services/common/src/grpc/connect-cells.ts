import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import type { CellAddresses } from '../config/index.ts'
import { errors } from '../errors/index.ts'
import { cellOf } from '../flake/index.ts'
import type { ProcessIdentity } from '../identity/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { createGrpcTransport, type Transport } from './client.ts'

/**
 * Connects a process that serves the stores of all cells, such as the gateway, to the services of each cell (decision 0039). A call goes
 * to the cell of its store, or to `options.cell` if it names no store. With one cell, calls are not routed at all, and the
 * services reject stores of other cells.
 *
 * Each service of each cell has a separate transport, with separate connections, streams, deadlines and retry budget: what happens to
 * one cell takes nothing that the calls to another one need.
 */
export function connectCells<Name extends string>({
  cells,
  servers,
  identity,
  metrics,
}: ConnectionOptions<Name>): CellConnections<Name> {
  const connected = [...cells].map(([cell, addresses]) => {
    const connect = (name: Name) =>
      createGrpcTransport({ to: servers[name], address: addresses[name], cell, identity, metrics })
    return [cell, mapValues(servers, (_, name) => connect(name))] as const
  })
  return {
    transports: mapValues(servers, (_, name) =>
      routeByCell(new Map(connected.map(([cell, all]) => [cell, all[name]]))),
    ),
    close() {
      for (const [, all] of connected) for (const transport of Object.values<Transport>(all)) transport.close()
    },
  }
}

export interface CellConnections<Name extends string> {
  /** By service. */
  transports: Readonly<Record<Name, Transport>>
  close(): void
}

interface ConnectionOptions<Name extends string> {
  cells: CellAddresses<Name>
  /** The process behind each address. */
  servers: Readonly<Record<Name, ServerName>>
  identity: ProcessIdentity
  metrics: Metrics
}

/**
 * The transport that passes each call on to the cell of its store. A store of an unknown cell is `not-found`, without a call.
 * @param cells at least one
 */
export function routeByCell(cells: ReadonlyMap<number, Transport>): Transport {
  const [only, ...others] = cells.values()
  if (only && others.length === 0) return only
  return {
    async unary(method, request, options) {
      const cell = options.storeId === undefined ? options.cell : cellOf(options.storeId)
      if (cell === undefined) throw errors.internal(new Error(`${method.name} was called without a store or a cell`))
      const transport = cells.get(cell)
      if (transport === undefined) throw errors.notFound('store')
      return await transport.unary(method, request, options)
    },
    close() {
      for (const transport of cells.values()) transport.close()
    },
  }
}

function mapValues<Name extends string, From, To>(
  values: Readonly<Record<Name, From>>,
  map: (value: From, name: Name) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(values) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)])) as Record<Name, To>
}
