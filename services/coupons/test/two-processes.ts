import { setTimeout } from 'node:timers/promises'
import { type Client, createClient } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createDatabase, type Database, timeLimits } from '@storekeep/common/postgres'
import { changeTimeLimits, createTestHome, spawnService, type TestHome } from '@storekeep/common/testing'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { RedemptionsService } from '@storekeep/proto/coupons/v1/redemptions_service'
import { afterAll, beforeAll } from 'vitest'
import { settings } from './harness.ts'

/** Two processes of the service with one database. */
export function useTwoProcesses() {
  let home: TestHome
  let database: Database
  const processes: CouponsProcess[] = []
  beforeAll(async () => {
    home = await createTestHome('coupons', { ...settings, DATABASE_CONNECTIONS: '33' })
    const entry = new URL('../src/main.ts', import.meta.url)
    // One after the other: the first one to start runs the migrations.
    while (processes.length < 2) {
      const spawned = await spawnService(entry, CouponsService, home.env)
      processes.push({ ...spawned, redemptions: createClient(RedemptionsService, spawned.transport) })
    }
    // 64 statements of the control wait for one row, on a machine that may be busy.
    await changeTimeLimits(home.databaseUrl, { statement_timeout: 10 * timeLimits.statement_timeout })
    const log = createLogger({ service: 'test', level: 'silent' })
    database = createDatabase({
      url: home.databaseUrl,
      applicationName: 'test',
      connections: { transactions: 32 },
      timeLimitFactor: 10,
      log,
    })
  }, 120_000)
  afterAll(async () => {
    for (const { child, exited, transport } of processes) {
      transport.close()
      child.kill('SIGTERM')
      await exited
    }
    await database.close()
    await home.drop()
  })

  function processOf(caller: number): CouponsProcess {
    const process = processes[caller % processes.length]
    if (!process) throw new Error('no process')
    return process
  }

  /**
   * Retries a call at the other process while it fails with 503, as on a loaded machine or because its process was
   * killed. The repeated call is for the same checkout, so it counts once.
   */
  async function again<T>(caller: number, call: (process: CouponsProcess) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call(processOf(caller + attempt))
      } catch (error) {
        if (attempt === 60 || (error as { code?: string }).code !== 'service-unavailable') throw error
        await setTimeout(Math.min(attempt * 10, 500))
      }
    }
  }

  return { database: () => database, processOf, again }
}

export type CouponsProcess = Awaited<ReturnType<typeof spawnService<typeof CouponsService>>> & {
  redemptions: Client<typeof RedemptionsService>
}
