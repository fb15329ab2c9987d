import { describe, expect, it } from 'vitest'
import { argumentsProblem, type Command, commands } from './arguments.mjs'

describe('arguments', () => {
  const start = commands.start as Command

  it('takes the flags that a command knows', () => {
    expect(argumentsProblem(start, [])).toBeUndefined()
    expect(argumentsProblem(start, ['--reset'])).toBeUndefined()
  })

  it('names an unknown one and the known ones', () => {
    expect(argumentsProblem(start, ['--reset', '--rest'])).toBe('Unknown argument "--rest". Known: --reset, --help.')
  })

  it('hands everything on where a command has arguments of its own', () => {
    expect(argumentsProblem(commands.test as Command, ['services/stores', '-t', 'x'])).toBeUndefined()
  })
})
