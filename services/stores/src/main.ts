import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { stores } from './service.ts'

await runProcess(() => stores.start(readConfig()))
