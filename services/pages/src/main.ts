import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { start } from './start.ts'

await runProcess(() => start(configFromProcess()))
