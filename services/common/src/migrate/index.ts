export { readMigrateConfig } from './config.ts'
export { type MigratingService, migrate, runMigrate } from './migrate.ts'
