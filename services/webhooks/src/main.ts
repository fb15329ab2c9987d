import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { webhooks } from './service.ts'

await runProcess(() => webhooks.start(readConfig()))
