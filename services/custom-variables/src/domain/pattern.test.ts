import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { maxMatchSteps, maxPatternLength, maxProgramSize, maxResponseLength } from './limits.ts'
import { compilePattern } from './pattern.ts'

describe('a pattern', () => {
  it.each([
    ['', '', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^abc$', 'abc\n', false],
    ['(?i)ÄRGER', 'ärger', true],
    ['^.$', '🦊', true],
    ['\\d', '١', false],
    ['^\\p{Greek}+$', 'αβγ', true],
    ['(?m)^b$', 'a\nb', true],
  ])('%j is searched for in %j: %j', (text, answer, expected) => {
    expect(compilePattern(text).pattern?.fits(answer)).toBe(expected)
  })

  it.each([
    '^[A-Za-z0-9_-]{1,64}$',
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '^([0-9A-F]{2}:){5}[0-9A-F]{2}$',
    '^.{1,255}$',
    '^\\S+@\\S+\\.\\S+$',
    '^76561[0-9]{12}$',
    '^\\+?[0-9 ()/-]{6,20}$',
  ])('as people write them is taken: %s', (text) => {
    expect(compilePattern(text).problem).toBeUndefined()
  })

  it.each([
    ...[
      '(',
      ')',
      '[',
      '*',
      'a**',
      '\\',
      '\\1',
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(?<!a)',
      '(?>a)',
      'a++',
      '[z-a]',
      '(?P<n',
      '\\pX',
    ],
    ...['a{1001}', '\\Z', '(?<n>a)\\k<n>', '[[:nonsense:]]', '(?(1)a|b)', '\\u0041', '(?#x)'],
  ])('that is not RE2 is refused: %s', (text) => {
    expect(compilePattern(text).problem).toContain('RE2')
  })

  it.each([
    'a{1000}'.repeat(73),
    `(?:${'ab'.repeat(250)}){1000}`,
    `(?:(?:${'.?'.repeat(240)}){31}){31}`,
    '(a?){500}a{500}',
    '((a{10}){10}){10}',
    '.{1,600}',
  ])('whose program would be too large is refused: %.40s', (text) => {
    expect(compilePattern(text).problem).toContain('too slow')
  })
})

/**
 * Every pattern that is known to hang a backtracking engine, in many shapes, against answers made to hang it. The first
 * of them alone would keep a RegExp busy for longer than anyone can wait. None ends in a character that no answer has:
 * such a pattern is answered at a glance.
 */
describe('hostile patterns', () => {
  const corpus = hostilePatterns()
  const answers = hostileAnswers()

  it('are a large corpus of saveable length', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(200)
    expect(corpus.filter((text) => text.length > maxPatternLength)).toEqual([])
    expect(answers.every((answer) => [...answer].length <= maxResponseLength)).toBe(true)
  })

  it('are refused when their program is too large', () => {
    const accepted = corpus.filter((text) => compilePattern(text).pattern)
    const large = corpus.filter((text) => !accepted.includes(text) && sizeOf(text) > maxProgramSize)
    expect(accepted.filter((text) => sizeOf(text) > maxProgramSize)).toEqual([])
    expect(large.length).toBeGreaterThan(20)
    expect(accepted.length).toBeGreaterThan(150)
  })

  it('are told from the answers that are too long for them, and answer all others', () => {
    const most = { ms: 0, text: '' }
    let matches = 0
    for (const text of corpus) {
      const { pattern } = compilePattern(text)
      for (const answer of answers) {
        if (pattern === undefined || pattern.steps(answer) > maxMatchSteps) continue
        expect(sizeOf(text) * [...answer].length).toBeLessThanOrEqual(maxMatchSteps)
        // Of this thread alone: on a busy machine the clock shows what others do.
        const before = process.threadCpuUsage()
        pattern.fits(answer)
        const ms = process.threadCpuUsage(before).user / 1000
        matches += 1
        if (ms > most.ms) Object.assign(most, { ms, text })
      }
    }
    expect(matches).toBeGreaterThan(1000)
    process.stdout.write(`hostile patterns: ${matches} matches, at most ${most.ms.toFixed(1)} ms: ${most.text}\n`)
  })
})

/** Independent of what `compilePattern` allows; 0 when it would not be safe to look. */
function sizeOf(text: string): number {
  const known = sizes.get(text)
  if (known !== undefined) return known
  const isHuge = /1000|\{10\}|\{1,30\}\)\{/.test(text)
  const size = isHuge ? 0 : RE2JS.compile(text).programSize()
  sizes.set(text, size)
  return size
}

const sizes = new Map<string, number>()

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
    // Those that take the longest: every instruction is alive at every character.
    ...[240, 400, 490].flatMap((times) => [
      `(?:\\pL?){${times}}[!?]$`,
      `(?:[\\pL\\pN\\pP\\pS\\pZ]?){${times}}[!?]$`,
      `(?i)(?:[\\pL\\pN]?){${times}}[!?]$`,
      `(?:.?){${times}}[!?]$`,
      `(?:[^\\x00]?){${times}}`,
    ]),
    // As large as is allowed with the longest answer.
    '(?:\\pL?){95}[!?]$',
    '(?i)(?:[\\pL\\pN]?){95}$',
  ]
  return [
    ...shapes.flatMap((shape) => atoms.map(shape)),
    ...famous,
    ...famous.map((text) => `^${text}`).filter(isShort),
  ]
}

function isShort(text: string): boolean {
  return text.length <= maxPatternLength
}

function hostileAnswers(): string[] {
  const bits = Array.from({ length: maxResponseLength }, (_, n) => ((n * 7919) >> 3) % 2)
  return [
    'a'.repeat(maxResponseLength),
    `${'a'.repeat(maxResponseLength - 1)}b`,
    'ab'.repeat(maxResponseLength / 2),
    ' '.repeat(maxResponseLength),
    'é'.repeat(maxResponseLength),
    '🦊'.repeat(maxResponseLength),
    bits.map((bit) => 'ab'[bit]).join(''),
    `"${'a,"'.repeat(300)}`,
  ]
}
