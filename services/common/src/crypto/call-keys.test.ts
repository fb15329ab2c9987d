import { callersOf, serverNames, serversOf } from '@storekeep/proto/conventions/call-rights'
import { describe, expect, it } from 'vitest'
import { deriveCallKeys, parseCallKeys } from './call-keys.ts'

const secret = 'a-secret-of-an-installation-with-enough-bits'
const nonce = Buffer.from('0123456789abcdef')

describe('derived call keys', () => {
  it('let each caller prove its own name, and no other, to each server that it calls', () => {
    for (const server of serverNames) {
      const keys = parseCallKeys(deriveCallKeys(secret, server))
      for (const caller of callersOf(server)) {
        const own = parseCallKeys(deriveCallKeys(secret, caller))
        const proof = own.prove(caller, server, nonce) ?? Buffer.alloc(0)
        expect(keys.verify(caller, server, nonce, proof)).toBe(true)
        for (const other of callersOf(server).filter((name) => name !== caller)) {
          expect(keys.verify(other, server, nonce, proof)).toBe(false)
          // Nor does the caller hold the key with which it could.
          expect(own.prove(other, server, nonce)).toBeUndefined()
        }
      }
    }
  })

  it('are different for every pair, and only of the pairs of the process', () => {
    const gateway = deriveCallKeys(secret, 'gateway')
    const keys = gateway.split(',').map((entry) => entry.split('=')[1])
    expect(new Set(keys).size).toBe(serversOf('gateway').length)
    expect(deriveCallKeys(secret, 'bans').match(/[a-z-]+:[a-z-]+/g)).toEqual([
      'gateway:bans',
      'admin-tools:bans',
      'checkout:bans',
      'search:bans',
    ])
    expect(gateway).not.toContain(secret)
  })

  it.each(['', 'short', `${secret},`, `${secret},short`])('are not derived from a guessable secret: "%s"', (text) => {
    expect(() => deriveCallKeys(text, 'gateway')).toThrow('CALL_SECRET must be one or two secrets')
  })

  it('two secrets prove with the first and accept both', () => {
    const both = parseCallKeys(deriveCallKeys(`new-${secret},${secret}`, 'bans'))
    const proofOf = (text: string) =>
      parseCallKeys(deriveCallKeys(text, 'gateway')).prove('gateway', 'bans', nonce) ?? Buffer.alloc(0)
    expect(both.verify('gateway', 'bans', nonce, proofOf(secret))).toBe(true)
    expect(both.verify('gateway', 'bans', nonce, proofOf(`new-${secret},${secret}`))).toBe(true)
    const next = parseCallKeys(deriveCallKeys(`new-${secret}`, 'bans'))
    expect(next.verify('gateway', 'bans', nonce, proofOf(`new-${secret},${secret}`))).toBe(true)
    expect(next.verify('gateway', 'bans', nonce, proofOf(secret))).toBe(false)
  })
})
