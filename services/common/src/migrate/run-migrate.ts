import { describeStartFailure } from '../lifecycle/index.ts'
import { createLogger } from '../log/index.ts'
import { migrateConfigFromProcess } from './config.ts'
import { type MigratingService, migrate } from './migrate.ts'

/** Runs `migrate` as a process. A failure is one line on stderr and exit code 1. */
export async function runMigrate(service: MigratingService): Promise<void> {
  try {
    const config = migrateConfigFromProcess()
    await migrate(service, config, createLogger({ service: service.name, level: config.log.level }))
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`)
    process.exitCode = 1
  }
}
