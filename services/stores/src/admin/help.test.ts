import { describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'
import { commands } from './commands/index.ts'
import { readInvocation } from './config.ts'
import { commandHelp, overview } from './help.ts'

const byNpm = readInvocation({ npm_lifecycle_event: 'admin' })

describe('the help', () => {
  it('lists every command with what it does', () => {
    for (const { name, summary } of commands)
      expect(overview(commands, byNpm)).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
  })

  it.each(commands)('of $name explains every flag and shows examples that it can read', (command) => {
    const text = commandHelp(command, byNpm)
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

  it('says how it is called where there is no npm, as in an image', () => {
    const inImage = readInvocation({})
    const texts = [overview(commands, inImage), ...commands.map((command) => commandHelp(command, inImage))]
    for (const text of texts) {
      expect(text).toContain('Usage: node services/stores/src/admin.ts ')
      expect(text).not.toContain('npm')
    }
  })
})
