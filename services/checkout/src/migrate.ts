import { runMigrate } from '@storekeep/common/migrate'
import { checkout } from './service.ts'

await runMigrate(checkout)
