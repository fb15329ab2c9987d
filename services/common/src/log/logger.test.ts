import { describe, expect, it } from 'vitest'
import { createLogger } from './index.ts'

function capture() {
  const lines: string[] = []
  const log = createLogger({ service: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

const apiKey = 'skapi_4fzbKq0aLw8Zf2cXyP1mN7'
const token = 'skcus_CAEQARkAAAAAAAAAAAQm3'

describe('the log', () => {
  it('holds the service, the message and the allowed fields of a line', () => {
    const { log, last } = capture()
    log.info({ store_id: '1', status: 200 }, 'request')
    expect(last()).toMatchObject({ level: 'info', service: 'test', store_id: '1', status: 200, msg: 'request' })
  })

  it('drops every field that nobody has allowed, also in child loggers', () => {
    const { log, lines } = capture()
    log.child({ authorization: 'private' }).info({ body: 'private', password: 'private' }, 'request')
    expect(lines.join('')).not.toContain('private')
  })

  it('removes secrets of ours wherever they stand', () => {
    const { log, lines } = capture()
    log.error({ err: new Error(`bad key ${apiKey}`, { cause: new Error(`from ${token}`) }) }, `saw ${token}`)
    log.info({ reason: 'https://portal/?t=abcdefghijklmnopqrstuvwxyz23' }, 'made a link')
    const text = lines.join('')
    for (const secret of [apiKey, token, 'abcdefghijklmnopqrstuvwxyz23']) expect(text).not.toContain(secret)
    expect(text).toContain('[skapi removed]')
  })

  it('tells the cause of an error, and none of the members that a library hung on it', () => {
    const { log, lines, last } = capture()
    const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { config: 'private' })
    log.error({ err: error }, 'failed')
    expect(last()).toMatchObject({ err: { type: 'Error', message: 'outer', cause: { message: 'inner' } } })
    expect(lines.join('')).not.toContain('private')
  })
})
