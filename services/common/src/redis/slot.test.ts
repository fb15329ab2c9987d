import { expect, it } from 'vitest'
import { slotOf } from './slot.ts'

it.each([
  // The check value of CRC-16/XMODEM.
  ['123456789', 0x31c3],
  ['storekeep:limit:{123456789}:a', 0x31c3],
  ['{123456789}:{b}', 0x31c3],
  ['', 0],
])('the slot of %j equals the slot that Redis computes', (key, slot) => {
  expect(slotOf(key)).toBe(slot % 16_384)
})

it('the slot of a key with empty braces covers the whole key', () => {
  expect(slotOf('{}123456789')).not.toBe(slotOf('{}'))
  expect(slotOf('{123456789')).not.toBe(0x31c3)
})
