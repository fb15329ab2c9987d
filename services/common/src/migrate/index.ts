export { readMigrateConfig } from './config.ts'
export { migrate } from './migrate.ts'
export { runMigrate } from './run-migrate.ts'
