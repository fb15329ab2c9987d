import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { webhooks } from './service.ts'

await runProcess(() => webhooks.start(configFromProcess()))
