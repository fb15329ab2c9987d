import { expect, it } from 'vitest'
import { readPreferredWait } from './prefer-wait.ts'

it.each([
  ['wait=25', 25],
  ['WAIT = "7"', 7],
  ['respond-async, wait=10', 10],
  ['wait=5; x=1, wait=9', 5],
  ['wait', 0],
  ['wait=-1', 0],
  ['wait=1.5', 0],
  ['waits=3', 0],
  ['', 0],
  [undefined, 0],
])('reads the preference in "%s"', (header, seconds) => {
  expect(readPreferredWait(header)).toBe(seconds)
})
