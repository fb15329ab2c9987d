import { describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'
import { commands } from './commands/index.ts'
import { commandHelp, overview } from './help.ts'

describe('the help', () => {
  it('lists every command with what it does', () => {
    for (const { name, summary } of commands)
      expect(overview(commands)).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
  })

  it.each(commands)('of $name explains every flag and shows examples that it can read', (command) => {
    const text = commandHelp(command)
    for (const { name, value, help } of command.flags) {
      expect(text).toContain(`--${name} ${value}`)
      expect(text).toContain(help)
    }
    for (const example of command.examples) {
      const npm = example.includes('--json') ? 'npm run --silent admin' : 'npm run admin'
      expect(text).toContain(`${npm} -- ${command.name}${example && ` ${example}`}`)
      const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      parseArguments(command, words)
    }
  })
})
