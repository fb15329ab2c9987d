import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { checkout } from './service.ts'

await runProcess(() => checkout.start(configFromProcess()))
