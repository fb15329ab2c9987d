import { runMigrate } from '@storekeep/common/migrate'
import { emails } from './service.ts'

await runMigrate(emails)
