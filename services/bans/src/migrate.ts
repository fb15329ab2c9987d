import { runMigrate } from '@storekeep/common/migrate'
import { bans } from './service.ts'

await runMigrate(bans)
