import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { freePort } from '@storekeep/local/infra'
import { type Child, type Exit, startChild, waitUntilReady } from '@storekeep/local/processes'

/**
 * Starts one process of the product, `<member>/src/main.ts`, the way it runs in production, and waits until it says
 * that it is ready. It ends with the test run, even when that is killed.
 *
 * @param settings its whole environment; `portSetting` names the setting that gets its (free) port
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { name, member, logFile, host = '127.0.0.1' } = options
  const port = options.port ?? (await freePort())
  // The gateway answers HTTP itself; a service does so on a second port.
  const readyPort = options.readyPortSetting ? await freePort() : port
  const env: Record<string, string> = { ...options.settings, [options.portSetting]: String(port) }
  env[hostSettings[options.portSetting]] = host
  if (options.readyPortSetting) env[options.readyPortSetting] = String(readyPort)
  const main = `${root}${member}/src/main.ts`
  let child: Child = await start()

  async function start(): Promise<Child> {
    const started = await startChild({
      name,
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', main],
      logFile,
      stopTimeoutMs: 30_000,
      spawn: { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...env }, cwd: `${root}${member}` },
    })
    await waitUntilReady(started, () => expectReady(host, readyPort))
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

function expectReady(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = request({ host, port, path: '/readyz', timeout: 2_000 }, (answer) => {
      answer.resume()
      if (answer.statusCode === 200) resolve()
      else reject(new Error(`/readyz answers ${answer.statusCode}`))
    })
    probe.once('timeout', () => probe.destroy(new Error('/readyz does not answer')))
    probe.once('error', reject)
    probe.end()
  })
}

const hostSettings = { PORT: 'HOST', GRPC_PORT: 'GRPC_HOST' } as const
const root = fileURLToPath(new URL('../../', import.meta.url))
/** Halves the time that a start takes; tests start processes by the dozen. */
const compileCache = `${root}.data/compile-cache`

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
  port?: number
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
