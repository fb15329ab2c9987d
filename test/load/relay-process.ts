import { randomUUID } from 'node:crypto'
import { createRelay } from '@storekeep/common/events'
import { createLogger } from '@storekeep/common/log'
import { createNats } from '@storekeep/common/nats'
import { createDatabase } from '@storekeep/common/postgres'
import { createMetrics } from '@storekeep/common/telemetry'

/**
 * One replica of a service, as far as its outbox is concerned. Settings come as JSON in the first argument. Writes an
 * event when it receives the message `write`, and responds to others with the number of events that it has published.
 */
const { databaseUrl, natsUrl, stream }: RelayProcessSettings = JSON.parse(process.argv[2] ?? '{}')
const log = createLogger({ service: 'relay', level: 'warn' })
const metrics = createMetrics({ service: 'relay' })
const database = createDatabase({ url: databaseUrl, applicationName: 'relay', log })
createRelay({
  database,
  nats: createNats({ url: natsUrl, name: 'relay', log }),
  stream,
  log,
  metrics,
}).start()

process.on('message', async (message) => {
  if (message === 'write') return writeEvent()
  const counter = await metrics.registry.getSingleMetric('events_published_total')?.get()
  process.send?.(counter?.values[0]?.value ?? 0)
})
function writeEvent(): Promise<void> {
  return database.transaction(async (tx) => {
    tx.insert('outbox', {
      event_id: randomUUID(),
      service: 'things',
      aggregate: 'thing',
      aggregate_id: `of ${process.pid}`,
      aggregate_version: 1,
      verb: 'changed',
      type: 'test.Thing',
      payload: new Uint8Array(),
    })
  })
}

process.on('disconnect', () => process.exit())

export interface RelayProcessSettings {
  databaseUrl: string
  natsUrl: string
  stream: string
}
