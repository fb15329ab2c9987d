import { createRegistry, type DescFile, type Registry } from '@bufbuild/protobuf'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Environment, ServiceConfig } from '../src/config/index.ts'
import { type Client, createClient, type UnaryService } from '../src/grpc/index.ts'
import { createLogger } from '../src/log/index.ts'
import { createDatabase, type Database, timeLimits } from '../src/postgres/index.ts'
import type { RunningService, Service } from '../src/service/index.ts'
import { createTestClock, type TestClock } from './test-clock.ts'
import { changeTimeLimits } from './test-database.ts'
import { createTestHome, type Env } from './test-home.ts'
import { createTestTransport } from './test-identity.ts'

/**
 * Starts the real service on a free port, on real Postgres, NATS and Redis, for all tests of a file. No other file
 * uses its database, stream and Redis keys. Time limits of statements are generous, because the machine may be busy;
 * they have production values when `change` replaces the address of a server.
 */
export function useService<Config extends ServiceConfig, S extends UnaryService>(
  parts: ServiceUnderTest<Config, S>,
): TestService<Config, S> {
  const { service, definition, readConfig, settings, change = async (env) => env } = parts
  const clock = createTestClock()
  const logLines: string[] = []
  const destination = { write: (line: string) => logLines.push(line) }
  const log = createLogger({ service: service.name, level: 'debug', destination })
  let started: Pick<TestService<Config, S>, 'config' | 'running' | 'client' | 'database'>
  let close: () => Promise<void>

  beforeAll(async () => {
    const home = await createTestHome(service, settings)
    const env = await change(home.env)
    const config = readConfig(env)
    const timeLimitFactor = env.DATABASE_URL === home.databaseUrl ? 10 : 1
    if (timeLimitFactor === 1) await changeTimeLimits(home.databaseUrl, timeLimits)
    const running = await service.start(config, { log, clock, timeLimitFactor })
    const transport = createTestTransport(service.name, running.address)
    const database = createDatabase({ url: home.databaseUrl, applicationName: 'test', timeLimitFactor: 10, log })
    started = { config, running, client: createClient(definition, transport), database }
    close = async () => {
      transport.close()
      await running.stop()
      await database.close()
      await home.drop()
    }
  })
  afterEach(({ task }) => {
    if (task.result?.state !== 'fail') return
    // The response of an internal error does not contain its cause; the log does.
    for (const line of logLines) if (line.includes('internal error')) process.stderr.write(line)
  })
  afterAll(() => close())

  return {
    clock,
    logLines,
    eventTypes: createRegistry(parts.events),
    get config() {
      return started.config
    },
    get running() {
      return started.running
    },
    get client() {
      return started.client
    },
    get database() {
      return started.database
    },
  }
}

export interface ServiceUnderTest<Config extends ServiceConfig, S extends UnaryService> {
  service: Service<Config>
  definition: S
  /** The proto file with the events of the service. */
  events: DescFile
  readConfig(env: Environment): Config
  /** The settings that only this service has. */
  settings: Env
  /** Changes the settings before the start, for example to put a proxy between the service and a server. */
  change?: ((env: Env) => Promise<Env>) | undefined
}

export interface TestService<Config extends ServiceConfig, S extends UnaryService> {
  config: Config
  running: RunningService
  client: Client<S>
  /** Reads and changes the tables of the service, as its role. */
  database: Database
  clock: TestClock
  /** Everything the service has logged. */
  logLines: string[]
  eventTypes: Registry
}
