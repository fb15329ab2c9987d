import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import type { CellAddresses } from '../config/index.ts'
import { errors } from '../errors/index.ts'
import { cellOf } from '../flake/index.ts'
import type { ProcessIdentity } from '../identity/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { createGrpcTransport, type GrpcTransport, type Transport } from './client.ts'

/**
 * Connects a process that serves the stores of all cells, such as the gateway, to the services of each cell (decision 0039). A
 * call goes to the cell of its store, or to `options.cell` if it names no store. With one cell, calls are not routed at all, and
 * the services reject stores of other cells.
 *
 * Each service of each cell has a separate transport, with separate connections, streams, deadlines and retry budget, and each
 * cell has a separate limit on calls in flight. So a cell that fails or hangs does not affect calls to the others.
 */
export function connectCells<Name extends ServerName>({
  cells,
  identity,
  metrics,
}: ConnectionOptions<Name>): CellConnections<Name> {
  const connected = [...cells].map(([cell, addresses]) => {
    const connect = (address: string, to: Name) => createGrpcTransport({ to, address, cell, identity, metrics })
    return { cell, all: mapValues(addresses, connect), limit: createCallLimit() }
  })
  const states = () => new Map(connected.map(({ cell, all }) => [cell, stateOf(Object.values<GrpcTransport>(all))]))
  metrics.gauge(
    'cell_reachable',
    '0 while a service of the cell does not accept calls from this process, otherwise 1.',
    () =>
      [...states()].map(([cell, state]) => ({
        labels: { cell: String(cell) },
        value: state === 'unreachable' ? 0 : 1,
      })),
    ['cell'],
  )
  const [first] = connected
  if (!first) throw new RangeError('There must be at least one cell.')
  return {
    transports: mapValues(first.all, (_, name) =>
      routeByCell(new Map(connected.map(({ cell, all, limit }) => [cell, { transport: all[name], limit }]))),
    ),
    states,
    close() {
      for (const { all } of connected) for (const transport of Object.values<Transport>(all)) transport.close()
    },
  }
}

/** `unknown` until the process has tried to connect. */
export type CellState = 'reachable' | 'unreachable' | 'unknown'

export interface CellConnections<Name extends string> {
  /** By service. */
  transports: Readonly<Record<Name, Pick<Transport, 'unary'>>>
  /** Whether all services of each cell accept calls from this process. */
  states(): ReadonlyMap<number, CellState>
  close(): void
}

interface ConnectionOptions<Name extends ServerName> {
  cells: CellAddresses<Name>
  identity: ProcessIdentity
  metrics: Metrics
}

/** The transport that passes each call on to the cell of its store. A store of an unknown cell is `not-found`, without a call. */
function routeByCell(cells: ReadonlyMap<number, CellTransport>): Pick<Transport, 'unary'> {
  const [only, ...others] = cells.values()
  if (only && others.length === 0) return only.transport
  return {
    async unary(method, request, options) {
      const cell = options.storeId === undefined ? options.cell : cellOf(options.storeId)
      if (cell === undefined) throw errors.internal(new Error(`${method.name} was called without a store or a cell`))
      const found = cells.get(cell)
      if (found === undefined) throw errors.notFound('store')
      // What holds calls limits their number itself. They would otherwise leave no room for the others.
      if (options.holdMs !== undefined) return await found.transport.unary(method, request, options)
      return await found.limit.run(() => found.transport.unary(method, request, options))
    },
  }
}

/**
 * Limits the calls in flight to a cell. Calls to a cell that hangs wait for their deadline and keep their requests in memory;
 * without a limit, they would use the memory that requests to other cells need.
 */
function createCallLimit(): CallLimit {
  let inFlight = 0
  return {
    async run(call) {
      if (inFlight >= maxCallsInFlight) throw errors.unavailable(new Error('too many calls to the cell are in flight'))
      inFlight += 1
      try {
        return await call()
      } finally {
        inFlight -= 1
      }
    },
  }
}

interface CellTransport {
  transport: Pick<Transport, 'unary'>
  limit: CallLimit
}

interface CallLimit {
  /** @throws ServiceFault `service-unavailable` if too many calls are in flight */
  run<T>(call: () => Promise<T>): Promise<T>
}

/** Far more than a responsive cell ever has: at 20 ms each, 100,000 calls per second. With their requests, about 40 MB. */
const maxCallsInFlight = 2000

function stateOf(transports: readonly GrpcTransport[]): CellState {
  const reachable = transports.map((transport) => transport.isReachable())
  if (reachable.includes(false)) return 'unreachable'
  return reachable.includes(undefined) ? 'unknown' : 'reachable'
}

function mapValues<Name extends string, From, To>(
  values: Readonly<Record<Name, From>>,
  map: (value: From, name: Name) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(values) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)])) as Record<Name, To>
}
