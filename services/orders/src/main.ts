import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { orders } from './service.ts'

await runProcess(() => orders.start(readConfig()))
