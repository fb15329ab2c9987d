import grpc from '@grpc/grpc-js/package.json' with { type: 'json' }
import { expect, it } from 'vitest'

it('replacing certificates uses the version of grpc-js that it was checked against', () => {
  expect(grpc.version).toBe('1.14.7')
})
