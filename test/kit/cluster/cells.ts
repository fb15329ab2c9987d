import { freePort } from '@storekeep/local/infra'
import { addressSettings, forEachService, type ServiceName, services } from '@storekeep/local/services'
import type { Connection } from '../connection.ts'
import type { ServiceProcess, Settings, SharedProcess } from '../service-process.ts'
import type { SystemAddress } from '../system-address.ts'
import { inTestEnvironment, type TestEnvironment } from '../test-environment.ts'

/**
 * Starts the product with two whole cells on one machine: each has separate Postgres and NATS servers and all services, in one process.
 * One gateway and one process of the pages serve both, and all share Redis.
 */
export async function startCells(settings: Settings = {}): Promise<CellSystem> {
  return await inTestEnvironment(ownServers, async (first) => {
    const second = await inTestEnvironment(ownServers, async (environment) => {
      return { environment, ...(await startServices(1, environment, first)) }
    })
    first.beforeStop(() => second.environment.stop())
    const started = [{ environment: first, ...(await startServices(0, first, first)) }, second] as const
    const addresses = started[0].addresses
    const cellSettings: Settings = { CELLS: '0,1', ...ofCell(1, addressSettings(started[1].addresses)), ...settings }
    const pagesPort = await freePort()
    const gateway = await first.launch('gateway', first.gatewayOptions({ addresses, settings: cellSettings }))
    const pages = await first.launch(
      'pages',
      first.pagesOptions({ addresses, port: pagesPort, settings: cellSettings }),
    )
    const cells = await Promise.all(
      started.map(async ({ environment, addresses, process }) => {
        const connection = await environment.connect({
          gatewayUrls: [gateway.url],
          pagesUrl: `http://localhost:${pagesPort}`,
          metricsUrls: [gateway.metricsUrl, ...process.placed.map(({ metricsUrl }) => metricsUrl)],
          storesAddress: addresses.stores,
          ordersAddress: addresses.orders,
        })
        return { ...connection, ...controlOf(environment, process) }
      }),
    )
    const [zero, one] = cells
    if (!zero || !one) throw new Error('Two cells were started.')
    return { cells: [zero, one], gateway, pages, stop: first.stop }
  })
}

const ownServers = { own: ['postgres', 'nats'] as const }

async function startServices(cell: number, environment: TestEnvironment, shared: TestEnvironment) {
  const ports = new Map<ServiceName, number>()
  for (const { name } of services) ports.set(name, await freePort())
  const addresses = forEachService((name) => `127.0.0.1:${ports.get(name)}`)
  const settings = { CELL: String(cell), REDIS_KEY_PREFIX: shared.redisKeyPrefix, LOG_LEVEL: 'warn' }
  const parts = services.map(({ name }) => ({
    ...environment.serviceOptions(name, { addresses, settings }),
    port: ports.get(name),
  }))
  return { addresses, process: await environment.launchTogether(parts) }
}

/** The settings of another cell than 0. */
function ofCell(cell: number, settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`CELL_${cell}_${name}`, value]))
}

function controlOf({ infra }: TestEnvironment, process: SharedProcess): Pick<Cell, 'kill' | 'restart'> {
  const servers = ownServers.own.map((kind) => infra.server(kind))
  return {
    async kill(signal) {
      await Promise.all([process, ...servers].map((one) => one.kill(signal)))
    },
    async restart() {
      await Promise.all(servers.map((server) => server.restart()))
      await process.restart()
    },
  }
}

export interface Cell extends Connection {
  readonly address: SystemAddress
  /** Sends a signal to all services and servers of the cell. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts its servers and services again, and waits until they are ready. */
  restart(): Promise<void>
}

export interface CellSystem {
  readonly cells: readonly [Cell, Cell]
  readonly gateway: ServiceProcess
  readonly pages: ServiceProcess
  stop(): Promise<void>
}
