import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { orders } from './service.ts'

await runProcess(() => orders.start(configFromProcess()))
