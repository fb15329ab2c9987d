import { ConfigError } from '@storekeep/common/config'
import { ServiceFault } from '@storekeep/common/errors'
import { isHelpFlag, parseArguments } from './arguments.ts'
import { AdminError, type Command } from './command.ts'
import { commands } from './commands/index.ts'
import type { AdminConfig, Invocation } from './config.ts'
import { commandHelp, overview } from './help.ts'
import { printAnswer } from './output.ts'
import { connectServices } from './services.ts'

/**
 * Runs one administration command.
 * @param args what follows the command's name
 * @returns the exit code: 0, or 1 after one line (one per wrong value) on stderr
 */
export async function runAdmin(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    surroundings.out(`${await answer(args, surroundings)}\n`)
    return 0
  } catch (error) {
    surroundings.err(`${describe(error, args)}\n`)
    return 1
  }
}

/** What a process gives to `runAdmin`. */
export interface Surroundings {
  /** Asked when a command is about to call, so that the help needs no settings. */
  config: () => AdminConfig
  invocation: Invocation
  out: (text: string) => void
  /** What went wrong, and how far a long command is. */
  err: (text: string) => void
}

async function answer([name, ...args]: readonly string[], { config, invocation, err }: Surroundings): Promise<string> {
  if (name === undefined || name === 'help' || isHelpFlag(name)) return help(args[0], invocation)
  const command = findCommand(name)
  if (!command) throw new AdminError(`There is no command "${name}". The commands are ${names()}.`)
  if (args.some(isHelpFlag)) return commandHelp(command, invocation)
  const { values, json } = parseArguments(command, args)
  const { services, close } = connectServices(config())
  const report = (line: string) => err(`${line}\n`)
  try {
    return printAnswer(await command.run(values, services, report), { json })
  } finally {
    close()
  }
}

/** `help` alone, or `help <command>`. */
function help(name: string | undefined, invocation: Invocation): string {
  const command = findCommand(name)
  return command ? commandHelp(command, invocation) : overview(commands, invocation)
}

function findCommand(name: string | undefined): Command | undefined {
  return commands.find((one) => one.name === name)
}

function names(): string {
  return commands.map(({ name }) => name).join(', ')
}

function describe(error: unknown, [name]: readonly string[]): string {
  if (error instanceof ServiceFault) return describeFault(error, findCommand(name))
  if (error instanceof AdminError || error instanceof ConfigError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What is wrong with a value is said of the flag that it came with. */
function describeFault(fault: ServiceFault, command: Command | undefined): string {
  if (fault.code !== 'validation-failed') return fault.message
  return fault.violations.map(({ path, message }) => `${flagOf(path, command)} ${message}.`).join('\n')
}

function flagOf(path: string, command: Command | undefined): string {
  const [member = path] = path.split('.')
  const flag = command?.flags.find((one) => one.members?.includes(member) ?? one.name === member.replaceAll('_', '-'))
  return flag ? `--${flag.name}` : path
}
