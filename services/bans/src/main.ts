import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { bans } from './service.ts'

await runProcess(() => bans.start(configFromProcess()))
