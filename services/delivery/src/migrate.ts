import { runMigrate } from '@storekeep/common/migrate'
import { delivery } from './service.ts'

await runMigrate(delivery)
