import { create } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { cutThing, putThing, ThingSchema } from '../../test/fixtures/thing-proto.ts'
import { requestHash } from './request-hash.ts'

const thing = (fields: Record<string, unknown>) => create(ThingSchema, fields)

describe('the hash of a request', () => {
  it('is independent of the order of map entries', () => {
    const one = thing({ name: 'a', labels: { x: '1', y: '2', z: '3' } })
    const other = thing({ name: 'a', labels: { z: '3', y: '2', x: '1' } })
    expect(requestHash(putThing, one)).toEqual(requestHash(putThing, other))
    expect(Object.keys(Reflect.get(other, 'labels'))).toEqual(['z', 'y', 'x'])
  })

  it('differs for another field, map entry or method', () => {
    const hashes = [
      requestHash(putThing, thing({ name: 'a', labels: { x: '1' } })),
      requestHash(putThing, thing({ name: 'b', labels: { x: '1' } })),
      requestHash(putThing, thing({ name: 'a', labels: { x: '2' } })),
      requestHash(putThing, thing({ name: 'a', labels: { y: '1' } })),
      requestHash(putThing, thing({ name: 'a' })),
      requestHash(cutThing, thing({ name: 'a', labels: { x: '1' } })),
    ]
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(hashes.length)
  })
})
