import { runMigrate } from '@storekeep/common/migrate'
import { images } from './service.ts'

await runMigrate(images)
