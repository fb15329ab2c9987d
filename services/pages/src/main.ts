import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { start } from './start.ts'

await runProcess(() => start(readConfig()))
