import { describe, expect, it } from 'vitest'
import { createLogger, withFields } from './index.ts'

function capture() {
  const lines: string[] = []
  const log = createLogger({ service: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

const apiKey = 'skapi_4fzbKq0aLw8Zf2cXyP1mN7'
const token = 'skcus_CAEQARkAAAAAAAAAAAQm3'
const signingSecret = 'whsec_8bN+2Lq/0aLw8Zf2cXyP1mN7kQ+4fzbKq0aLw8Zf2cE='

describe('the logger', () => {
  it('prints the service, the message and the allowed fields', () => {
    const { log, last } = capture()
    log.info({ store_id: '1', status: 200 }, 'request')
    expect(last()).toMatchObject({ level: 'info', service: 'test', store_id: '1', status: 200, msg: 'request' })
  })

  it('drops fields that are not on the allow-list, also as fields of every line', () => {
    const { log, lines } = capture()
    // @ts-expect-error Such fields do not compile.
    withFields(log, { authorization: 'private' }).info({}, 'request')
    const fields = { status: 200, password: 'private' }
    // @ts-expect-error Nor in a variable.
    log.info(fields, 'request')
    // @ts-expect-error Nor in a spread.
    log.info({ ...fields, code: 'a' }, 'request')
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toContain('private')
  })

  it('removes secrets from messages, errors and fields', () => {
    const { log, lines } = capture()
    log.error({ err: new Error(`bad key ${apiKey}`, { cause: new Error(`from ${token}`) }) }, `saw ${token}`)
    log.info({ reason: 'https://portal/?t=abcdefghijklmnopqrstuvwxyz23' }, 'made a link')
    log.info({ reason: signingSecret }, `saw ${encodeURIComponent(signingSecret)}`)
    const text = lines.join('')
    for (const secret of [apiKey, token, signingSecret.slice(0, 16), 'abcdefghijklmnopqrstuvwxyz23'])
      expect(text).not.toContain(secret)
    expect(text).toContain('[skapi removed]')
  })

  it('prints the cause of an error and none of its other properties', () => {
    const { log, lines, last } = capture()
    const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { config: 'private' })
    log.error({ err: error }, 'failed')
    expect(last()).toMatchObject({ err: { type: 'Error', message: 'outer', cause: { message: 'inner' } } })
    expect(lines.join('')).not.toContain('private')
  })

  it('prints the first errors of an AggregateError, with their own errors and without secrets', () => {
    const { log, lines, last } = capture()
    const nested = new AggregateError([new Error('unreachable'), new Error(`bad key ${apiKey}`)])
    log.error({ err: new AggregateError([nested, ...[1, 2, 3].map((count) => new Error(`host ${count}`))]) }, 'failed')
    const reasons = [{ message: 'unreachable' }, { message: 'bad key [skapi removed]' }]
    expect(last()).toMatchObject({
      err: { errors: [{ errors: reasons }, { message: 'host 1' }, { message: 'host 2' }] },
    })
    expect(lines.join('')).not.toContain(apiKey)
  })
})
