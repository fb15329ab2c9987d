import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { customVariables } from './service.ts'

await runProcess(() => customVariables.start(readConfig()))
