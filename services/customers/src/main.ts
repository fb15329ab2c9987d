import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { customers } from './service.ts'

await runProcess(() => customers.start(readConfig()))
