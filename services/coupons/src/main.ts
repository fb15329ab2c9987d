import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { coupons } from './service.ts'

await runProcess(() => coupons.start(readConfig()))
