import { describe, expect, it } from 'vitest'
import { argumentsProblem, type Command, commands } from './arguments.mjs'

describe('arguments', () => {
  const start = commands.start as Command

  it('accepts the flags of a command', () => {
    expect(argumentsProblem(start, [])).toBeUndefined()
    expect(argumentsProblem(start, ['--reset'])).toBeUndefined()
  })

  it('reports an unknown argument and the valid ones', () => {
    expect(argumentsProblem(start, ['--reset', '--rest'])).toBe(
      'Unknown argument "--rest". The arguments are --reset, --help.',
    )
  })

  it('passes all arguments to commands that parse them', () => {
    expect(argumentsProblem(commands.test as Command, ['services/stores', '-t', 'x'])).toBeUndefined()
  })
})
