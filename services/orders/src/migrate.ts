import { runMigrate } from '@storekeep/common/migrate'
import { orders } from './service.ts'

await runMigrate(orders)
