import { expect, it } from 'vitest'
import { countAfter } from './stream-reader.ts'

const stream = { created: '2026-05-01T00:00:00Z', firstSequence: 11, lastSequence: 20 }

it.each([
  ['after the position', { created: stream.created, sequence: 15 }, 5],
  ['none at the end', { created: stream.created, sequence: 20 }, 0],
  ['none past the end, whose messages were lost', { created: stream.created, sequence: 25 }, 0],
  ['not the expired ones', { created: stream.created, sequence: 3 }, 10],
  ['all if the position is in an earlier stream of the name', { created: '2026-04-01T00:00:00Z', sequence: 25 }, 10],
  ['all before the first read', { created: null, sequence: 0 }, 10],
])('the lag counts the messages of the stream: %s', (_, position, count) => {
  expect(countAfter(stream, position)).toBe(count)
})
