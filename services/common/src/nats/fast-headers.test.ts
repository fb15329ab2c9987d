import { Match, MsgHdrsImpl } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { decodeHeadersFast } from './fast-headers.ts'

const decodeAsBefore = MsgHdrsImpl.decode
decodeHeadersFast()

function decodeBoth(text: string) {
  const bytes = Buffer.from(text)
  return { expected: decodeAsBefore(bytes), actual: MsgHdrsImpl.decode(bytes) }
}

describe('fast headers', () => {
  it.each([
    ['of an event', 'NATS/1.0\r\nNats-Msg-Id: 1\r\nce-id: 2\r\nce-store: 3\r\nce-storeid: 4\r\n\r\n'],
    ['without a space, with several, and empty', 'NATS/1.0\r\nce-id:1\r\nce-type:  a b  \r\nce-subject: \r\n\r\n'],
    ['that occur several times', 'NATS/1.0\r\nce-id: first\r\nCE-ID: upper\r\nce-id: second\r\n\r\n'],
    ['with text outside ASCII, and a value that looks like a header', 'NATS/1.0\r\nce-type: ü ce-id: 7\r\n\r\n'],
    ['without any', 'NATS/1.0\r\n\r\n'],
    ['of a status', 'NATS/1.0 408 Request Timeout\r\nNats-Pending-Messages: 3\r\n\r\n'],
  ])('read headers %s like the client library', (_what, text) => {
    const { actual, expected } = decodeBoth(text)
    for (const name of ['ce-id', 'CE-ID', 'id', 'ce-store', 'ce-storeid', 'ce-type', 'ce-subject', 'absent', '']) {
      expect(actual.get(name), name).toBe(expected.get(name))
      expect(actual.last(name), name).toBe(expected.last(name))
      expect(actual.values(name, Match.IgnoreCase), name).toEqual(expected.values(name, Match.IgnoreCase))
      expect(actual.has(name), name).toBe(expected.has(name))
    }
    expect([...actual]).toEqual([...expected])
    expect(actual.keys()).toEqual(expected.keys())
    expect([actual.code, actual.description, actual.status, actual.hasError]).toEqual([
      expected.code,
      expected.description,
      expected.status,
      expected.hasError,
    ])
  })

  it('can be changed and sent on', () => {
    const { actual, expected } = decodeBoth('NATS/1.0\r\nce-id: 1\r\nce-type: a\r\n\r\n')
    for (const headers of [actual, expected]) {
      headers.set('ce-id', '2')
      headers.append('ce-type', 'b')
      headers.delete('absent')
    }
    expect(actual.get('ce-id')).toBe('2')
    expect(Buffer.from(actual.encode()).toString()).toBe(Buffer.from(expected.encode()).toString())
  })
})
