import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@storekeep/common/log'
import { runMigrations } from '@storekeep/common/postgres'
import { environmentOfNode } from '@storekeep/common/testing'
import { type Child, startChild } from '@storekeep/local/processes'
import { onServer, type System } from '@storekeep/test/kit'
import type { RecorderSettings } from './create-recorder.ts'

/** Starts a recorder in a separate process. Its name is also the name of its consumer and of its schema in the database. */
export async function startRecorder(
  system: System,
  { name, forgets, maxAttempts }: Pick<RecorderSettings, 'name' | 'forgets' | 'maxAttempts'>,
): Promise<Recorder> {
  const databaseUrl = system.databaseUrlOf(name)
  await runMigrations({
    url: databaseUrl,
    schema: name,
    directory: fileURLToPath(new URL('migrations', import.meta.url)),
    cell: 0,
    nodeNumber: 15,
    log: createLogger({ service: 'test', level: 'silent' }),
  })
  const settings: RecorderSettings = {
    name,
    databaseUrl,
    natsUrl: system.infra.natsUrl,
    stream: system.stream,
    forgets,
    maxAttempts,
  }
  let child: Child | undefined

  const recorder: Recorder = {
    settings,
    name,
    databaseUrl,
    async start() {
      child = await startChild({
        name,
        command: process.execPath,
        args: ['--disable-warning=ExperimentalWarning', processFile, JSON.stringify(settings)],
        logFile: join(system.address.logDirectory, `${name}.log`),
        spawn: { env: environmentOfNode() },
      })
    },
    async kill() {
      child?.kill('SIGKILL')
      await child?.exited
    },
    seen: () =>
      onServer(databaseUrl, async (client) => {
        const { rows } = await client.query<Seen>(
          'select event_id, customer_id, version, at from seen order by position',
        )
        return rows
      }),
  }
  await recorder.start()
  return recorder
}

const processFile = fileURLToPath(new URL('recorder-process.ts', import.meta.url))

export interface Seen {
  event_id: string
  customer_id: string
  version: string
  at: Date
}

export interface Recorder {
  readonly settings: RecorderSettings
  readonly name: string
  readonly databaseUrl: string
  start(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Every application of an event, in order. */
  seen(): Promise<Seen[]>
}
