import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { stores } from './service.ts'

await runProcess(() => stores.start(configFromProcess()))
