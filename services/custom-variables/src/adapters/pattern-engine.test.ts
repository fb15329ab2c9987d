import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { maxAnswerLength } from '../domain/limits.ts'
import { createPatternEngine } from './pattern-engine.ts'

const engine = createPatternEngine({ compileMs: 200, matchMs: 50 })
afterAll(() => engine.close())

/** Some 80,000 instructions, all of them active at each character: seconds for the longest answer. */
const slowPattern = `${'(?:.?){1000}'.repeat(40)}[!?]$`
const longAnswer = 'a'.repeat(maxAnswerLength)

describe('the pattern engine', () => {
  it('reports why a pattern is invalid', async () => {
    expect(await engine.check('1', '^[a-z]+$')).toBeUndefined()
    expect(await engine.check('1', '(?=a)')).toBe('must be a regular expression in RE2 syntax')
  })

  it('matches an answer', async () => {
    expect(await engine.match('1', '^a+$', 'aa')).toBe('match')
    expect(await engine.match('1', '^a+$', 'ab')).toBe('mismatch')
  })

  it('stops a match at its CPU limit while timers still fire, and continues with the next', async () => {
    let ticks = 0
    let isOver = false
    const slow = engine.match('1', slowPattern, longAnswer).finally(() => {
      isOver = true
    })
    for (; !isOver; ticks += 1) await pause(1)
    expect(await slow).toBe('timeout')
    expect(ticks).toBeGreaterThan(10)
    expect(await engine.match('1', '^a+$', 'aa')).toBe('match')
  })

  it('delays another store by one slow match, not by all of them', async () => {
    const order: string[] = []
    const slow = Array.from({ length: 3 }, async () => {
      await engine.match('1', slowPattern, longAnswer)
      order.push('slow')
    })
    await engine.match('2', '^a+$', 'aa')
    order.push('fast')
    await Promise.all(slow)
    expect(order.indexOf('fast')).toBeLessThan(3)
  })

  it('rejects a pattern that takes too long to compile', async () => {
    const impatient = createPatternEngine({ compileMs: 60, matchMs: 50 })
    expect(await impatient.check('1', `(?i)[${'b-\u{1E942}'.repeat(160)}]`)).toContain('too much time')
    expect(await impatient.check('1', '^a$')).toBeUndefined()
    await impatient.close()
  })
})
