import { runMigrate } from '@storekeep/common/migrate'
import { customVariables } from './service.ts'

await runMigrate(customVariables)
