import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { customVariables } from './service.ts'

await runProcess(() => customVariables.start(configFromProcess()))
