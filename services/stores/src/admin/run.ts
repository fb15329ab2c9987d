import { ConfigError } from '@storekeep/common/config'
import { ServiceFault } from '@storekeep/common/errors'
import { isHelp, parseArguments } from './arguments.ts'
import { AdminError, type Command } from './command.ts'
import { commands } from './commands/index.ts'
import { adminConfigFromProcess } from './config.ts'
import { commandHelp, overview } from './help.ts'
import { printAnswer } from './output.ts'
import { connectServices } from './services.ts'

/**
 * Runs one administration command.
 * @param args what follows `npm run admin --`
 * @returns the exit code: 0, or 1 after one line (one per wrong value) on stderr
 */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || isHelp(name)) return print(overview(commands))
  const command = commands.find((one) => one.name === name)
  if (!command)
    return fail(`There is no command "${name}". The commands are ${commands.map((c) => c.name).join(', ')}.`)
  if (rest.some(isHelp)) return print(commandHelp(command))
  try {
    return print(await runCommand(command, rest))
  } catch (error) {
    return fail(describe(error, command))
  }
}

async function runCommand(command: Command, args: readonly string[]): Promise<string> {
  const { values, json } = parseArguments(command, args)
  const { services, close } = connectServices(adminConfigFromProcess())
  try {
    return printAnswer(await command.run(values, services), { json })
  } finally {
    close()
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function fail(text: string): number {
  process.stderr.write(`${text}\n`)
  return 1
}

function describe(error: unknown, command: Command): string {
  if (error instanceof ServiceFault) return describeFault(error, command)
  if (error instanceof AdminError || error instanceof ConfigError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What is wrong with a value is said of the flag that it came with. */
function describeFault(fault: ServiceFault, command: Command): string {
  if (fault.code !== 'validation-failed') return fault.message
  return fault.violations.map(({ path, message }) => `${flagOf(path, command)} ${message}.`).join('\n')
}

function flagOf(path: string, { flags }: Command): string {
  const [member = path] = path.split('.')
  const flag = flags.find((one) => one.members?.includes(member) ?? one.name === member.replaceAll('_', '-'))
  return flag ? `--${flag.name}` : path
}
