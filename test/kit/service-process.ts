import { basename, join } from 'node:path'
import { freePort } from '@storekeep/local/infra'
import { type Child, type Exit, startNode, waitUntilServing } from '@storekeep/local/processes'

/**
 * Starts one process of the product, `<folder>/src/main.ts` or its bundle in the folder PRODUCT_BUNDLES, the way it runs in
 * production, and waits until it is ready. It exits with the test run, even if the run is killed.
 *
 * @param options `settings` is the whole environment of the process
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { name, folder, root, logFile } = options
  const { env, host, port, readyPort } = await placeProcess(options)
  const { PRODUCT_BUNDLES: bundles } = process.env
  const main = bundles && !root ? join(bundles, `${basename(folder)}.js`) : `${folder}/src/main.ts`
  let child: Child = await start()

  async function start(): Promise<Child> {
    const started = await startNode(name, { main, root, env, logFile })
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

/** Starts all parts in one process: much cheaper, but a test cannot kill them separately. Waits until all are ready. */
export async function startInOneProcess(
  options: readonly Omit<ServiceProcessOptions, 'name' | 'logFile'>[],
  logFile: string,
): Promise<SharedProcess> {
  const placed = await Promise.all(options.map(placeProcess))
  const parts = options.map(({ folder }, index) => [folder, placed[index]?.env])
  // The heap of one process would be too small for all of them.
  const env = { PRODUCT_PARTS: JSON.stringify(parts), NODE_OPTIONS: '' }
  async function start(): Promise<Child> {
    const started = await startNode('product', { main: 'test/kit/product-main.ts', env, logFile })
    for (const { host, readyPort } of placed) await waitUntilServing(started, `http://${host}:${readyPort}/readyz`)
    return started
  }
  let child = await start()
  return {
    placed,
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

/** Several parts of the product in one process. */
export interface SharedProcess extends Pick<ServiceProcess, 'kill' | 'restart' | 'stop'> {
  /** In the order of the given parts. */
  placed: readonly PlacedProcess[]
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
  /** The package: "services/stores". */
  folder: string
  /** A folder with another version of the repository; this version by default. */
  root?: string | undefined
  settings: Settings
  portSetting: 'PORT' | 'GRPC_PORT'
  readyPortSetting?: 'METRICS_PORT'
  /** 127.0.0.1 by default. */
  host?: string
  /** A free port by default. */
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
  /** Its output since the first start. */
  readonly logFile: string
  /** Resolves when the latest process has exited. */
  exited(): Promise<Exit>
  /** SIGKILL waits for the exit; other signals are only sent. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Stops it if it is running, starts it again on the same port and waits until it is ready. */
  restart(): Promise<void>
  stop(): Promise<void>
}
