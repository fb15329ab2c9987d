import { createRegistry, type DescFile, type Registry } from '@bufbuild/protobuf'
import { afterAll, beforeAll } from 'vitest'
import type { Environment, ServiceConfig } from '../src/config/index.ts'
import { type Client, createClient, createGrpcTransport, type UnaryService } from '../src/grpc/index.ts'
import { createLogger } from '../src/log/index.ts'
import { createDatabase, type Database } from '../src/postgres/index.ts'
import type { RunningService, Service } from '../src/service/index.ts'
import { createTestClock, type TestClock } from './test-clock.ts'
import { createTestHome, type Env } from './test-home.ts'

/**
 * The real service on a free port, on real Postgres, NATS and Redis, for all tests of a file. The database, the
 * stream and the Redis keys are the file's own.
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
    const config = readConfig(await change(home.env))
    const running = await service.start(config, { log, clock })
    const transport = createGrpcTransport({ address: running.address })
    const database = createDatabase({ url: home.databaseUrl, applicationName: 'test', log })
    started = { config, running, client: createClient(definition, transport), database }
    close = async () => {
      transport.close()
      await running.stop()
      await database.close()
      await home.drop()
    }
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
  /** The file with the service's events. */
  events: DescFile
  readConfig(env: Environment): Config
  /** Settings that only this service has. */
  settings: Env
  /** Alters the settings before the start, to put something else or something broken in between. */
  change?: ((env: Env) => Promise<Env>) | undefined
}

export interface TestService<Config extends ServiceConfig, S extends UnaryService> {
  config: Config
  running: RunningService
  client: Client<S>
  /** The service's own role, for looking at its tables. */
  database: Database
  clock: TestClock
  /** What the service has logged. */
  logLines: string[]
  eventTypes: Registry
}
