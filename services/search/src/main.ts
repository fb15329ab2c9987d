import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { search } from './service.ts'

await runProcess(() => search.start(readConfig()))
