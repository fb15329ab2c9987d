import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { customers } from './service.ts'

await runProcess(() => customers.start(configFromProcess()))
