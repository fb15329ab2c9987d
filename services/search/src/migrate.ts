import { runMigrate } from '@storekeep/common/migrate'
import { search } from './service.ts'

await runMigrate(search)
