import { parseArgs } from 'node:util'
import { AdminError, type Command, type FlagValues } from './command.ts'

export function isHelpFlag(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

/**
 * Reads the flags of a command.
 * @throws AdminError for a flag that it does not have, one without its value, one given twice, or one left out
 */
export function parseArguments(command: Command, args: readonly string[]): { values: FlagValues; json: boolean } {
  const given = new Map<string, string>()
  let json = false
  for (const token of tokenize(command, args)) {
    if (token.kind !== 'option') throw new AdminError(`${command.name} takes flags only. ${known(command)}`)
    if (token.name === 'json') json = true
    else given.set(token.name, readValue(command, given, token))
  }
  const missing = command.flags.filter(({ name, required }) => required && !given.has(name))
  if (missing.length > 0) {
    throw new AdminError(`${command.name} needs ${missing.map(({ name, value }) => `--${name} ${value}`).join(' ')}.`)
  }
  return { values: flagValues(given), json }
}

function tokenize(command: Command, args: readonly string[]) {
  const flags = command.flags.map(({ name }) => [name, { type: 'string' }] as const)
  const options = { ...Object.fromEntries(flags), json: { type: 'boolean' } } as const
  // Not strict: the errors of our own are shorter and name what the command has.
  return parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens
}

function readValue(command: Command, given: ReadonlyMap<string, string>, token: OptionToken): string {
  const flag = command.flags.find(({ name }) => name === token.name)
  if (!flag) throw new AdminError(`${command.name} has no flag ${token.rawName}. ${known(command)}`)
  if (given.has(flag.name)) throw new AdminError(`--${flag.name} was given twice.`)
  const forgotten = token.value === undefined || (token.inlineValue === false && token.value.startsWith('--'))
  if (token.value === undefined || forgotten) throw new AdminError(`--${flag.name} needs a value, ${flag.value}.`)
  return token.value
}

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

function known(command: Command): string {
  return `Its flags are ${[...command.flags.map(({ name }) => `--${name}`), '--json', '--help'].join(', ')}.`
}

function flagValues(given: ReadonlyMap<string, string>): FlagValues {
  return {
    optional: (name) => given.get(name),
    text: (name) => {
      const value = given.get(name)
      if (value === undefined) throw new Error(`--${name} is not a required flag`)
      return value
    },
  }
}
