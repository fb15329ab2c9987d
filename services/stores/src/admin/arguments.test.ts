import { describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'
import type { Command } from './command.ts'

const command: Command = {
  name: 'paint',
  summary: 'Paints.',
  flags: [
    { name: 'colour', value: '<name>', help: 'What in.', required: true },
    { name: 'brush-size', value: '<size>', help: 'How wide.' },
  ],
  examples: [],
  run: async () => ({ records: [], list: false }),
}
const parse = (...args: string[]) => parseArguments(command, args)

describe('the flags of a command', () => {
  it('may be given in any order and with either spelling', () => {
    const { values, json } = parse('--json', '--brush-size=2', '--colour', 'dark red')
    expect([values.text('colour'), values.optional('brush-size'), json]).toEqual(['dark red', '2', true])
    expect(parse('--colour', 'red').values.optional('brush-size')).toBeUndefined()
    expect(parse('--colour=--red').values.text('colour')).toBe('--red')
    expect(parse('--colour', '-1').values.text('colour')).toBe('-1')
    expect(parse('--colour=').values.text('colour')).toBe('')
  })

  it.each([
    [[], 'paint needs --colour <name>.'],
    [['--colour'], '--colour needs a value, <name>.'],
    [['--colour', '--json'], '--colour needs a value, <name>.'],
    [['--colour', 'red', '--colour', 'blue'], '--colour was given twice.'],
    [
      ['--colour', 'red', '--color', 'red'],
      'paint has no flag --color. Its flags are --colour, --brush-size, --json, --help.',
    ],
    [['--colour', 'red', '-c', 'red'], 'paint has no flag -c. Its flags are --colour, --brush-size, --json, --help.'],
    [['red'], 'paint takes flags only. Its flags are --colour, --brush-size, --json, --help.'],
    [['--colour', 'red', '--'], 'paint takes flags only. Its flags are --colour, --brush-size, --json, --help.'],
  ])('are refused when they are %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message)
  })
})
