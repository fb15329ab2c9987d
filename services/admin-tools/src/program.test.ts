import { describe, expect, it } from 'vitest'
import type { Command, OptionValues } from './command.ts'
import { commands } from './commands/index.ts'
import { readInvocation } from './config.ts'
import { createProgram } from './program.ts'

const byNpm = readInvocation({ npm_lifecycle_event: 'admin' })
const inImage = readInvocation({})

const paint: Command = {
  name: 'paint',
  summary: 'Paints.',
  options: [
    { name: 'color', value: '<name>', help: 'The color.', required: true },
    { name: 'brush-size', value: '<size>', help: 'The width.' },
  ],
  examples: [],
  run: async () => ({ records: [], list: false }),
}

async function parse(args: readonly string[], { known = [paint], invocation = byNpm } = {}): Promise<Parsed> {
  const parsed: Parsed = { out: '', err: '' }
  const output = {
    out: (text: string) => {
      parsed.out += text
    },
    err: (text: string) => {
      parsed.err += text
    },
  }
  const program = createProgram(known, invocation, output, async (command, values, { json }) => {
    parsed.called = { command: command.name, values, json }
  })
  await program.parseAsync(args, { from: 'user' }).catch(() => undefined)
  return parsed
}

interface Parsed {
  out: string
  err: string
  called?: { command: string; values: OptionValues; json: boolean }
}

describe('options', () => {
  it('may be given in any order, with = or a space', async () => {
    const { called } = await parse(['paint', '--json', '--brush-size=2', '--color', 'dark red'])
    expect([called?.values.required('color'), called?.values.optional('brush-size'), called?.json]).toEqual([
      'dark red',
      '2',
      true,
    ])
  })

  it.each([['--color', 'red'], ['--color', '-1'], ['--color=']])('accepts %s %s', async (...args) => {
    const { called } = await parse(['paint', ...args])
    expect(called?.values.required('color')).toBe(args[1] ?? '')
    expect([called?.values.optional('brush-size'), called?.json]).toEqual([undefined, false])
  })

  it.each([
    [[], "required option '--color <name>' not specified"],
    [['--color'], "option '--color <name>' argument missing"],
    [['--color', '--json'], 'The value is missing.'],
    [['--color', 'red', '--color', 'blue'], 'It was given twice.'],
    [['--color', 'red', '--colors', 'red'], "unknown option '--colors'\n(Did you mean --color?)"],
    [['--color', 'red', '-c', 'red'], "unknown option '-c'"],
    [['--color', 'red', 'blue'], 'too many arguments'],
  ])('rejects %j', async (args, message) => {
    const { called, err } = await parse(['paint', ...args])
    expect(called).toBeUndefined()
    expect(err).toMatch(/^error: /)
    expect(err).toContain(message)
  })
})

describe('the help', () => {
  it('lists every command with its summary', async () => {
    const { out } = await parse(['--help'], { known: [...commands] })
    const text = out.replaceAll(/\s+/g, ' ')
    for (const { name, summary } of commands) {
      expect(text).toContain(summary)
      expect(out).toMatch(new RegExp(`^  ${name} `, 'm'))
    }
  })

  it.each(commands)('the help of $name explains every option and shows examples that parse', async (command) => {
    const { out } = await parse([command.name, '--help'], { known: [...commands] })
    const text = out.replaceAll(/\s+/g, ' ')
    for (const { name, value, help } of command.options) expect(text).toContain(`--${name} ${value} ${help}`)
    for (const example of command.examples) {
      const npm = example.includes('--json') ? 'npm run --silent admin' : 'npm run admin'
      expect(out).toContain(`${npm} -- ${command.name}${example && ` ${example}`}`)
      const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      const { called } = await parse([command.name, ...words], { known: [...commands] })
      expect(called?.command).toBe(command.name)
    }
  })

  it('spells the command as images run it where there is no npm', async () => {
    for (const args of [['--help'], ...commands.map(({ name }) => [name, '--help'])]) {
      const { out } = await parse(args, { known: [...commands], invocation: inImage })
      expect(out).toContain('Usage: node services/admin-tools/src/main.ts ')
      expect(out).not.toContain('npm')
    }
  })
})
