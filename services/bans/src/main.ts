import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { bans } from './service.ts'

await runProcess(() => bans.start(readConfig()))
