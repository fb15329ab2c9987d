import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { emails } from './service.ts'

await runProcess(() => emails.start(readConfig()))
