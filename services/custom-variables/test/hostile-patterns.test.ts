import { describe, expect, it } from 'vitest'
import { maxAnswerLength, maxPatternLength } from '../src/domain/limits.ts'
import { compilePattern } from '../src/domain/pattern.ts'
import { createPatternEngine } from '../src/steps/pattern-engine.ts'

/**
 * How long a call may block the event loop, in CPU time of its thread. Elapsed time would include other processes and the
 * threads of the engine.
 */
const maxBlockMs = 20

/** 510 characters with which one store stopped the service for seconds when patterns were compiled in the main thread. */
const attack = `(?i)[${'b-\u{1E942}'.repeat(168)}]`

const corpus = hostilePatterns()
const answers = hostileAnswers()
const store1 = { storeId: '1', signal: new AbortController().signal }

/** Patterns in many shapes that hang a backtracking engine, or make a linear one slow, with answers to match. */
describe('hostile patterns', () => {
  it('are compiled and matched without blocking the event loop', async () => {
    const engine = createPatternEngine({ compileMs: 50, matchMs: 50 })
    await engine.start()
    const results: Record<string, number> = {}
    const longestMs = await longestBlock(async (pattern, answer) => {
      const problem = await engine.check(store1, pattern)
      const result = problem ?? (await engine.match(store1, [{ pattern, answer }]))[0]?.result ?? 'missing'
      results[result] = (results[result] ?? 0) + 1
    })
    await engine.close()
    process.stdout.write(
      `hostile patterns: ${JSON.stringify(results)}, blocked for ${longestMs.toFixed(1)} ms at most\n`,
    )
    expect(corpus.length).toBeGreaterThanOrEqual(200)
    expect(corpus).toContain(attack)
    expect((results.match ?? 0) + (results.mismatch ?? 0)).toBeGreaterThan(corpus.length / 2)
    expect(longestMs).toBeLessThan(maxBlockMs)
  }, 120_000)

  it('block the event loop without the threads (negative control)', async () => {
    const longestMs = await longestBlock(async (pattern, answer) => compilePattern(pattern).matches?.(answer))
    process.stdout.write(`hostile patterns without the threads: blocked for ${longestMs.toFixed(1)} ms\n`)
    expect(longestMs).toBeGreaterThan(maxBlockMs)
  }, 120_000)
})

/**
 * Runs the corpus and returns the longest time for which a pattern blocked the event loop. Stops at the first pattern that exceeds the
 * bound.
 */
async function longestBlock(run: (pattern: string, answer: string) => Promise<unknown>): Promise<number> {
  let longestMs = 0
  for (const [index, pattern] of corpus.entries()) {
    const answer = answers[index % answers.length] ?? ''
    let ms = await blockMs(() => run(pattern, answer))
    // A pattern that blocks does so each time, unlike garbage collection and what a busy machine adds.
    for (let tries = 1; ms > maxBlockMs && tries < 3; tries += 1) {
      ms = Math.min(ms, await blockMs(() => run(pattern, answer)))
    }
    longestMs = Math.max(longestMs, ms)
    if (longestMs > maxBlockMs) break
  }
  return longestMs
}

/** The longest CPU time of this thread in one turn of the event loop while the call runs. */
async function blockMs(run: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let before = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (user + system) / 1000)
  }
  const timer = setInterval(measure)
  await run()
  clearInterval(timer)
  measure()
  return longestMs
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
    attack,
    `(?i)[^${'b-\u{1E942}'.repeat(120)}]`,
    `(?i)${'[b-\u{1E942}]'.repeat(80)}`,
    `(?i)${'[\\x{0}-\\x{10FFFF}]'.repeat(20)}`,
    `(?i)[${'\\pL\\pN'.repeat(80)}b-\u{1E942}]`,
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
