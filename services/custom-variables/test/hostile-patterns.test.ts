import { afterAll, describe, expect, it } from 'vitest'
import { createPatternEngine } from '../src/adapters/pattern-engine.ts'
import { maxAnswerLength, maxPatternLength } from '../src/domain/limits.ts'
import { compilePattern } from '../src/domain/pattern.ts'

const engine = createPatternEngine({ compileMs: 50, matchMs: 50 })
afterAll(() => engine.close())
const store1 = { storeId: '1', signal: new AbortController().signal }

/** Patterns in many shapes that hang a backtracking engine, or make a linear one slow, with answers to match. */
describe('hostile patterns', () => {
  it('are compiled and matched without blocking the thread that serves calls', async () => {
    const corpus = hostilePatterns()
    const answers = hostileAnswers()
    const results: Record<string, number> = {}
    let longestMs = 0
    for (const [index, pattern] of corpus.entries()) {
      // Of this thread alone: elapsed time would include other processes and the thread of the engine.
      const before = process.threadCpuUsage()
      const problem = await engine.check(store1, pattern)
      const pair = { pattern, answer: answers[index % answers.length] ?? '' }
      const result = problem ?? (await engine.match(store1, [pair]))[0]?.result ?? 'missing'
      longestMs = Math.max(longestMs, process.threadCpuUsage(before).user / 1000)
      results[result] = (results[result] ?? 0) + 1
    }
    const summary = `hostile patterns: ${JSON.stringify(results)}, at most ${longestMs.toFixed(1)} ms of this thread`
    process.stdout.write(`${summary}, without the engine ${cpuMsWithoutEngine().toFixed(0)} ms\n`)
    expect(corpus.length).toBeGreaterThanOrEqual(200)
    expect((results.match ?? 0) + (results.mismatch ?? 0)).toBeGreaterThan(corpus.length / 2)
    // Compared in one run, so that the result does not depend on the speed of the machine.
    expect(longestMs).toBeLessThan(cpuMsWithoutEngine() / 4)
  }, 120_000)
})

/** Negative control: the CPU time that one of the slow patterns takes when this thread matches it. */
function cpuMsWithoutEngine(): number {
  const { matches } = compilePattern('(?:.?){1000}(?:.?){1000}(?:.?){1000}(?:.?){1000}[!?]$')
  const before = process.threadCpuUsage()
  matches?.('a'.repeat(maxAnswerLength))
  return process.threadCpuUsage(before).user / 1000
}

function hostilePatterns(): string[] {
  const atoms = ['a', '.', '\\w', '[a-z]', '[^b]', '\\pL', '(?:a|b)', '(?:a|a)', '(?:a|aa)', '\\s']
  const shapes: ((atom: string) => string)[] = [
    (atom) => `(${atom}+)+$`,
    (atom) => `^(${atom}+)+[!?]$`,
    (atom) => `(${atom}*)*[!?]$`,
    (atom) => `^(${atom}*)*$`,
    (atom) => `((${atom}+)+)+[!?]$`,
    (atom) => `(${atom}?){100}${atom}{100}`,
    (atom) => `(${atom}?){400}${atom}{400}[!?]$`,
    (atom) => `${atom}*${atom}*${atom}*${atom}*${atom}*${atom}*[!?]$`,
    (atom) => `.*${atom}.{400}[!?]$`,
    (atom) => `(${atom}|${atom}${atom}|${atom}${atom}${atom}){100}[!?]$`,
    (atom) => `(${atom}{1,30}){1,30}[!?]$`,
    (atom) => `(?:(?:${atom}{10}){10}){10}`,
    (atom) => `^(${atom}{0,400}${atom}{0,90})[!?]$`,
    (atom) => `(?i)(${atom}+)+[!?]$`,
    (atom) => `(?s)(.*${atom}){20}[!?]$`,
    (atom) => `(${atom}+${atom}+)+[!?]$`,
    (atom) => `(?:${atom}.*){60}[!?]$`,
    (atom) => `\\b(${atom}+\\b)*[!?]$`,
  ]
  const famous = [
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x+x+)+y',
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    '(?:.*=.*)*[!?]$',
    '^(\\s+|\\S+)*[!?]$',
    '^(?:(?:"[^"]*")|[^,])*(?:,(?:(?:"[^"]*")|[^,])*)*[!?]$',
    `${'('.repeat(200)}a${')*'.repeat(100)}${')'.repeat(100)}`,
    '.*'.repeat(256),
    'a{1000}'.repeat(73),
    `(?i)${'\\pL{1000}'.repeat(56)}`,
    `(?:${'\\pL.'.repeat(120)}){1000}`,
    `(${'a|'.repeat(250)}b)*[!?]$`,
    `[^${'\\pL\\pN'.repeat(80)}]+[!?]$`,
    `${'(?:a?'.repeat(70)}${')*'.repeat(70)}`,
    '(?:(?:(?:(?:a|b)*|c)*|d)*|e)*[!?]$',
    '(a*)*(a*)*(a*)*(a*)*(a*)*b',
    '^(0|1(01*0)*1)+[!?]$',
    // The slowest ones: every instruction is active at every character.
    ...[240, 400, 490].flatMap((times) => [
      `(?:\\pL?){${times}}[!?]$`,
      `(?:[\\pL\\pN\\pP\\pS\\pZ]?){${times}}[!?]$`,
      `(?i)(?:[\\pL\\pN]?){${times}}[!?]$`,
      `(?:.?){${times}}[!?]$`,
      `(?:[^\\x00]?){${times}}`,
    ]),
    // Wide ranges whose case folding is slow to compile.
    `(?i)[${'b-\u{1E942}'.repeat(120)}]`,
    `(?i)${'[b-\u{1E942}]'.repeat(80)}`,
  ]
  const all = [...shapes.flatMap((shape) => atoms.map(shape)), ...famous, ...famous.map((text) => `^${text}`)]
  return all.filter((text) => [...text].length <= maxPatternLength)
}

function hostileAnswers(): string[] {
  const bits = Array.from({ length: maxAnswerLength }, (_, n) => ((n * 7919) >> 3) % 2)
  return [
    'a'.repeat(maxAnswerLength),
    `${'a'.repeat(maxAnswerLength - 1)}b`,
    'ab'.repeat(maxAnswerLength / 2),
    ' '.repeat(maxAnswerLength),
    'é'.repeat(maxAnswerLength),
    '🦊'.repeat(maxAnswerLength),
    bits.map((bit) => 'ab'[bit]).join(''),
    `"${'a,"'.repeat(300)}`,
  ]
}
