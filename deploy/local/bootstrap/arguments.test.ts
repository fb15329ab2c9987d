import { describe, expect, it } from 'vitest'
import { ports } from '../../topology.ts'
import { argumentsProblem, type Command, commands, helpText } from './arguments.mjs'

describe('arguments', () => {
  const start = commands.start as Command

  it('accepts the flags of a command', () => {
    expect(argumentsProblem(start, [])).toBeUndefined()
    expect(argumentsProblem(start, ['--reset'])).toBeUndefined()
    expect(argumentsProblem(start, ['--cells', '2', '--reset'])).toBeUndefined()
  })

  it('reports an unknown argument and the valid ones', () => {
    expect(argumentsProblem(start, ['--reset', '--rest'])).toBe(
      'Unknown argument "--rest". The arguments are --reset, --cells <number>, --help.',
    )
    expect(argumentsProblem(start, ['2'])).toMatch(/^Unknown argument "2"/)
  })

  it('names the default ports of deploy/topology.ts in its help', () => {
    expect(helpText(commands.seed as Command)).toContain(`http://127.0.0.1:${ports.gateway})`)
    expect(helpText(commands.seed as Command)).toContain(`127.0.0.1:${ports.grpc})`)
  })

  it.each(['start', 'test', 'bench', 'images'])('has a usage text for npm run %s -- --help', (name) => {
    expect(helpText(commands[name] as Command)).toContain('npm ')
  })

  it('passes all arguments to commands that parse them', () => {
    expect(argumentsProblem(commands.test as Command, ['services/stores', '-t', 'x'])).toBeUndefined()
  })
})
