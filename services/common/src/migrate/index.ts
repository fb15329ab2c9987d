export { readMigrateConfig } from './config.ts'
export { runMigrate } from './run-migrate.ts'
