import { runProcess } from '@storekeep/common/lifecycle'
import { configFromProcess } from './config.ts'
import { search } from './service.ts'

await runProcess(() => search.start(configFromProcess()))
