import { runProcess } from '@storekeep/common/lifecycle'
import { readConfig } from './config.ts'
import { images } from './service.ts'

await runProcess(() => images.start(readConfig()))
