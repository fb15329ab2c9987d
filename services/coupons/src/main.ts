import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { coupons } from './service.ts'

await runProcess(() => coupons.start(configFromProcess()))
