import { runMigrate } from '@storekeep/common/migrate'
import { customers } from './service.ts'

await runMigrate(customers)
