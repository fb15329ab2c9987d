import { createConsumer, onEvent } from '@storekeep/common/events'
import { createLogger } from '@storekeep/common/log'
import { createNats } from '@storekeep/common/nats'
import { createDatabase, type Transaction } from '@storekeep/common/postgres'
import { createMetrics } from '@storekeep/common/telemetry'
import { CustomerCreatedSchema, CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import sql from 'sql-template-tag'

/**
 * A consumer in a separate process that tests can kill. It writes every customer event into the table `seen`. Settings
 * come as JSON in the first argument; see `RecorderSettings`.
 */
const settings: RecorderSettings = JSON.parse(process.argv[2] ?? '{}')
const { name } = settings
const log = createLogger({ service: name, level: 'warn' })
const database = createDatabase({ url: settings.databaseUrl, applicationName: name, log })

async function note(tx: Transaction, event: Noted): Promise<void> {
  if (settings.forgets) await tx.query(sql`delete from consumed_event`)
  await tx.query(sql`
    insert into seen (event_id, customer_id, version)
    values (${event.id}, ${event.aggregateId}, ${event.aggregateVersion})`)
}

createConsumer({
  database,
  nats: createNats({ url: settings.natsUrl, name, log }),
  stream: settings.stream,
  name,
  filterSubject: 'customers.customer.*',
  handlers: [onEvent(CustomerCreatedSchema, note), onEvent(CustomerUpdatedSchema, note)],
  deliver: 'every',
  retryDelayMs: 100,
  log,
  metrics: createMetrics({ service: name }),
}).start()

export interface RecorderSettings {
  /** Of the consumer. */
  name: string
  databaseUrl: string
  natsUrl: string
  stream: string
  /** Negative control: deletes its record of applied events. */
  forgets: boolean
}

interface Noted {
  id: string
  aggregateId: string
  aggregateVersion: string
}
