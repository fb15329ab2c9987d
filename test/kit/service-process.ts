import { freePort } from '@storekeep/local/infra'
import { type Child, type Exit, startNode, waitUntilServing } from '@storekeep/local/processes'

/**
 * Starts one process of the product, `<member>/src/main.ts`, the way it runs in production, and waits until it is
 * ready. It ends with the test run, even when the run is killed.
 *
 * @param options `settings` is the whole environment of the process
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { name, member, logFile } = options
  const { env, host, port, readyPort } = await placeProcess(options)
  let child: Child = await start()

  async function start(): Promise<Child> {
    const started = await startNode(name, { main: `${member}/src/main.ts`, env, logFile })
    await waitUntilServing(started, `http://${host}:${readyPort}/readyz`)
    return started
  }

  return {
    name,
    port,
    host,
    address: `${host}:${port}`,
    url: `http://${host}:${port}`,
    metricsUrl: `http://${host}:${readyPort}/metrics`,
    logFile,
    get pid() {
      return child.pid
    },
    exited: () => child.exited,
    kill: async (signal) => {
      child.kill(signal)
      if (signal === 'SIGKILL') await child.exited
    },
    restart: async () => {
      await child.stop()
      child = await start()
    },
    stop: () => child.stop(),
  }
}

/** Starts all processes as one, which cannot be broken separately but costs a fraction; waits until all are ready. */
export async function startInOneProcess(
  options: readonly Omit<ServiceProcessOptions, 'name' | 'logFile'>[],
  logFile: string,
): Promise<{ placed: readonly PlacedProcess[]; stop(): Promise<void> }> {
  const placed = await Promise.all(options.map(placeProcess))
  const parts = options.map(({ member }, index) => [member, placed[index]?.env])
  const env = { PRODUCT_PARTS: JSON.stringify(parts) }
  const child = await startNode('product', { main: 'test/kit/product-main.ts', env, logFile })
  for (const { host, readyPort } of placed) await waitUntilServing(child, `http://${host}:${readyPort}/readyz`)
  return { placed, stop: () => child.stop() }
}

/** Chooses the ports of a process and adds them to its settings. */
async function placeProcess(options: Omit<ServiceProcessOptions, 'name' | 'logFile'>): Promise<PlacedProcess> {
  const { host = '127.0.0.1', portSetting, readyPortSetting } = options
  const port = options.port ?? (await freePort())
  // The gateway is probed on its own port, a service on the port of its metrics.
  const readyPort = readyPortSetting ? await freePort() : port
  const env: Record<string, string> = {
    ...options.settings,
    [portSetting]: String(port),
    [hostSettings[portSetting]]: host,
  }
  if (readyPortSetting) env[readyPortSetting] = String(readyPort)
  return { env, host, port, readyPort, metricsUrl: `http://${host}:${readyPort}/metrics` }
}

export interface PlacedProcess {
  env: Settings
  host: string
  port: number
  readyPort: number
  metricsUrl: string
}

const hostSettings = { PORT: 'HOST', GRPC_PORT: 'GRPC_HOST' } as const

export type Settings = Readonly<Record<string, string>>

export interface ServiceProcessOptions {
  name: string
  /** Folder of the workspace member, "services/stores". */
  member: string
  settings: Settings
  portSetting: 'PORT' | 'GRPC_PORT'
  readyPortSetting?: 'METRICS_PORT'
  /** 127.0.0.1 unless given. */
  host?: string
  /** A free one unless given. */
  port?: number | undefined
  logFile: string
}

/** A process of the product that a test may kill and start again. */
export interface ServiceProcess {
  readonly name: string
  readonly pid: number
  readonly host: string
  readonly port: number
  /** host:port */
  readonly address: string
  readonly url: string
  readonly metricsUrl: string
  /** Everything it printed, over all its starts. */
  readonly logFile: string
  /** Resolves when the process of the latest start has ended. */
  exited(): Promise<Exit>
  /** SIGKILL waits for the end; others only send. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts it anew on the same port and waits until it is ready; stops it first when it still runs. */
  restart(): Promise<void>
  stop(): Promise<void>
}
