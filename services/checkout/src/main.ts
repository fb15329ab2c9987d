import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { checkout } from './service.ts'

await runProcess(() => checkout.start(readConfig()))
