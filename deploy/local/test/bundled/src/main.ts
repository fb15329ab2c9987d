import { readFileSync } from 'node:fs'
import { createLogger } from '@storekeep/common/log'

// A process as small as possible, for `bundle.test.ts`.
const self = readFileSync(new URL('main.ts', import.meta.url), 'utf8')
const log = createLogger({ service: 'bundled' })
log.error({ err: new Error(`read ${self.length} characters`) }, 'failed')
// biome-ignore lint/complexity/noUselessEscapeInRegex: libraries have such expressions
log.info({ reason: '– \\– 💩'.replace(/\–/, '…') }, 'characters beyond Latin-1')
