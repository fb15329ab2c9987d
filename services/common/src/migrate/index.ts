export { readMigrateConfig } from './config.ts'
export { type MigratingService, migrate } from './migrate.ts'
export { runMigrate } from './run-migrate.ts'
