import { runMigrate } from '@storekeep/common/migrate'
import { stores } from './service.ts'

await runMigrate(stores)
