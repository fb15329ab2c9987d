import { runMigrate } from '@storekeep/common/migrate'
import { webhooks } from './service.ts'

await runMigrate(webhooks)
