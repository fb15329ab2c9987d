import { runMigrate } from '@storekeep/common/migrate'
import { coupons } from './service.ts'

await runMigrate(coupons)
