import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConsumer, type EventHandler, onEvent } from '@storekeep/common/events'
import { createLogger } from '@storekeep/common/log'
import { createNats } from '@storekeep/common/nats'
import { createDatabase, runMigrations } from '@storekeep/common/postgres'
import { createMetrics } from '@storekeep/common/telemetry'
import { CustomerCreatedSchema, CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import type { System } from '@storekeep/test/kit'
import sql from 'sql-template-tag'

/** The schema that a system needs for observers. */
export const observerSchema = 'observer'

/** Creates a table in the system's database that counts each application of an event. */
export async function openObservers(system: System): Promise<Observers> {
  const url = system.databaseUrlOf(observerSchema)
  const log = createLogger({ service: 'observer', level: 'silent' })
  await migrate(url, log)
  const database = createDatabase({ url, applicationName: 'observer', log })
  const nats = createNats({ url: system.infra.natsUrl, name: 'observer', log })

  return {
    observe(name, observer = name) {
      const consumer = createConsumer({
        database,
        nats,
        stream: system.stream,
        name,
        filterSubject: 'customers.customer.>',
        deliver: 'every',
        handlers: countingHandlers(observer),
        retryDelayMs: 200,
        log,
        metrics: createMetrics({ service: name }),
      })
      consumer.start()
      return consumer.stop
    },
    async applications(observer) {
      return await database.query<Application>(sql`
        select aggregate_id, version, mark, times from application where observer = ${observer}`)
    },
    async close() {
      await nats.close()
      await database.close()
    },
  }
}

/** Upserts a row per change with the number of applications. */
function countingHandlers(observer: string): EventHandler[] {
  return [CustomerCreatedSchema, CustomerUpdatedSchema].map((schema) =>
    onEvent(schema, async (tx, event) => {
      const mark = event.message.customer?.metadata.mark ?? ''
      await tx.query(sql`
        insert into application (observer, aggregate_id, version, mark, times)
        values (${observer}, ${event.aggregateId}, ${event.aggregateVersion}, ${mark}, 1)
        on conflict (observer, aggregate_id, version) do update set times = application.times + 1`)
    }),
  )
}

async function migrate(url: string, log: ReturnType<typeof createLogger>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'storekeep-observer-'))
  try {
    writeFileSync(join(directory, '0001-create-application.sql'), createTable)
    await runMigrations({ url, schema: observerSchema, directory, cell: 0, nodeNumber: 15, log })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const createTable = `
  create table application (
    observer text not null,
    aggregate_id bigint not null,
    version bigint not null,
    mark text not null,
    times int not null,
    primary key (observer, aggregate_id, version)
  );
`

export interface Application {
  aggregate_id: string
  version: string
  mark: string
  times: number
}

export interface Observers {
  /**
   * Starts a consumer and returns a function that stops it. Consumers with different names deduplicate separately, but can
   * count as one observer.
   */
  observe(name: string, observer?: string): () => Promise<void>
  applications(observer: string): Promise<Application[]>
  close(): Promise<void>
}
