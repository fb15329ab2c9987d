import { ConfigError } from '@storekeep/common/config'
import { isFault, ServiceFault } from '@storekeep/common/errors'
import { CommanderError } from 'commander'
import { chooseCells } from './choose-cells.ts'
import { AdminError, type Command } from './command.ts'
import { commands } from './commands/index.ts'
import type { AdminConfig, Invocation } from './config.ts'
import { connectServices } from './connect-services.ts'
import { formatResult } from './output.ts'
import { createProgram } from './program.ts'

/**
 * Runs one command.
 * @param args the command and its options
 * @returns the exit code: 0, or 1 after at least one line on stderr
 */
export async function runAdmin(
  args: readonly string[],
  { config, invocation, out, err, interrupted }: Environment,
): Promise<number> {
  let called: Command | undefined
  const program = createProgram(commands, invocation, { out, err }, async (command, values, { json }) => {
    called = command
    const { cells, close } = connectServices(config())
    try {
      const print = (line: string) => out(`${line}\n`)
      const report = (line: string) => err(`${line}\n`)
      const chosen = await chooseCells(command, values, cells)
      const runs = chosen.map((services) => command.run(values, services, { json, print, report, interrupted }))
      const outcomes = await Promise.allSettled(runs)
      const results = outcomes.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
      const [first] = results
      if (first) print(formatResult({ ...first, records: results.flatMap(({ records }) => records) }, { json }))
      // The results of the other cells are printed before the error of this one.
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    } finally {
      close()
    }
  })
  try {
    await program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed its own errors, and throws after printing the help, too.
    if (error instanceof CommanderError) return error.exitCode
    for (const line of describe(error, called)) err(`error: ${line}\n`)
    return 1
  }
}

/** What the process provides. */
export interface Environment {
  /** Called only when a command connects, so the help needs no settings. */
  config: () => AdminConfig
  invocation: Invocation
  out: (text: string) => void
  /** Takes errors and the progress of long commands. */
  err: (text: string) => void
  /** See `Terminal`. */
  interrupted: () => AbortSignal
}

function describe(error: unknown, command: Command | undefined): string[] {
  if (isFault(error, 'validation-failed')) {
    return error.violations.map(
      ({ path, message }) => `${optionOf(path, command)} ${message}${message.endsWith('?') ? '' : '.'}`,
    )
  }
  if (error instanceof ServiceFault || error instanceof AdminError || error instanceof ConfigError) {
    return [error.message]
  }
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
}

/** The option that a field of the request was filled from. */
function optionOf(path: string, command: Command | undefined): string {
  const option = command?.options.find(({ name, fields = [name.replaceAll('-', '_')] }) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`)),
  )
  return option ? `--${option.name}` : path
}
