import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { delivery } from './service.ts'

await runProcess(() => delivery.start(readConfig()))
