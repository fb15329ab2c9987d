import { type Consumer, createConsumer, onEvent } from '@storekeep/common/events'
import { createLogger } from '@storekeep/common/log'
import { createNats, type Nats } from '@storekeep/common/nats'
import { createDatabase, type Database, type Transaction } from '@storekeep/common/postgres'
import { createMetrics } from '@storekeep/common/telemetry'
import { CustomerCreatedSchema, CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import sql from 'sql-template-tag'

/** Creates a consumer that writes every customer event into the table `seen`. */
export function createRecorder({ name, databaseUrl, natsUrl, stream, forgets, maxAttempts }: RecorderSettings): {
  consumer: Consumer
  database: Database
  nats: Nats
} {
  const log = createLogger({ service: name, level: 'warn' })
  const database = createDatabase({ url: databaseUrl, applicationName: name, log })
  const nats = createNats({ url: natsUrl, name, log })

  async function note(tx: Transaction, event: Noted): Promise<void> {
    if (forgets) await tx.query(sql`delete from consumed_event`)
    await tx.query(sql`
      insert into seen (event_id, customer_id, version)
      values (${event.id}, ${event.aggregateId}, ${event.aggregateVersion})`)
  }

  const consumer = createConsumer({
    database,
    nats,
    stream,
    name,
    filterSubject: 'customers.customer.*',
    handlers: [onEvent(CustomerCreatedSchema, note), onEvent(CustomerUpdatedSchema, note)],
    deliver: 'every',
    maxAttempts,
    retryDelayMs: 100,
    log,
    metrics: createMetrics({ service: name }),
  })
  return { consumer, database, nats }
}

export interface RecorderSettings {
  /** Name of the consumer. */
  name: string
  databaseUrl: string
  natsUrl: string
  stream: string
  /** Negative control: deletes its record of applied events. */
  forgets: boolean
  /** Failed attempts after which an event becomes a dead letter. */
  maxAttempts: number
}

interface Noted {
  id: string
  aggregateId: string
  aggregateVersion: string
}
