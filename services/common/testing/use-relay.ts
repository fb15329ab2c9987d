import { afterAll, beforeAll } from 'vitest'
import type { ServiceConfig } from '../src/config/index.ts'
import { createRelay } from '../src/events/index.ts'
import { createLogger } from '../src/log/index.ts'
import { createNats } from '../src/nats/index.ts'
import type { Database } from '../src/postgres/index.ts'
import { createMetrics } from '../src/telemetry/index.ts'

/**
 * Publishes events that a test writes to the outbox immediately. The relay of the service under test finds them only when it
 * polls, up to 2 s later.
 */
export function useRelay(test: { config: ServiceConfig; database: Database }): void {
  let stop: () => Promise<void>
  beforeAll(() => {
    const { config, database } = test
    const common = {
      log: createLogger({ service: 'test', level: 'silent' }),
      metrics: createMetrics({ service: 'test' }),
    }
    const nats = createNats({ ...config.nats, name: 'test', log: common.log })
    const relay = createRelay({ database, nats, stream: config.events.stream, ...common })
    relay.start()
    stop = async () => {
      await relay.stop()
      await nats.close()
    }
  })
  afterAll(() => stop())
}
