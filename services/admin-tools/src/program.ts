import { Command as CommanderCommand, InvalidArgumentError, Option } from 'commander'
import { cellOption } from './choose-cells.ts'
import type { Command, CommandOption, OptionValues } from './command.ts'
import type { Invocation } from './config.ts'

/**
 * The command line: parses options, prints the help and reports usage errors.
 * @param run called with the chosen command
 */
export function createProgram(
  commands: readonly Command[],
  invocation: Invocation,
  { out, err }: { out: (text: string) => void; err: (text: string) => void },
  run: (command: Command, values: OptionValues, output: { json: boolean }) => Promise<void>,
): CommanderCommand {
  const program = new CommanderCommand(invocation.usual)
    .description(
      'Administers a running Storekeep: stores, API keys, checkout sessions, dead letters, the search index.',
    )
    .usage('<command> [options]')
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride()
    .showHelpAfterError(`See: ${invocation.usual} --help`)
    .configureHelp({ subcommandTerm: (subcommand) => subcommand.name() })
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand('help <command>', 'Show the help of a command.')
  for (const command of commands) {
    const required = command.options.filter((option) => option.required).map((option) => `${flagsOf(option)} `)
    const subcommand = program
      .command(command.name)
      .description(command.summary)
      .usage(`${required.join('')}[options]`)
      .showHelpAfterError(`See: ${invocation.usual} ${command.name} --help`)
      .addHelpText('after', examplesOf(command, invocation))
      .action(({ json = false, ...given }: { json?: boolean; [attribute: string]: unknown }) => {
        const values = new Map(subcommand.options.map((option) => [option.name(), given[option.attributeName()]]))
        return run(command, readValues(values), { json })
      })
    for (const option of [...command.options, cellOption]) subcommand.addOption(commanderOption(option))
    subcommand.option('--json', `Print JSON, for programs: ${invocation.quiet} …`)
  }
  return program
}

function commanderOption(option: CommandOption): Option {
  const parsed = new Option(flagsOf(option), option.required ? `${option.help} Required.` : option.help)
  return parsed.makeOptionMandatory(option.required ?? false).argParser((value: string, previous?: string) => {
    if (previous !== undefined) throw new InvalidArgumentError('It was given twice.')
    // Commander would take the next option for the value.
    if (value.startsWith('--')) throw new InvalidArgumentError('The value is missing.')
    return value
  })
}

function flagsOf({ name, value }: CommandOption): string {
  return `--${name} ${value}`
}

function examplesOf({ name, examples }: Command, { usual, quiet }: Invocation): string {
  const lines = examples.map((example) =>
    `  ${example.includes('--json') ? quiet : usual} ${name} ${example}`.trimEnd(),
  )
  return ['', 'Examples:', ...lines].join('\n')
}

function readValues(values: ReadonlyMap<string, unknown>): OptionValues {
  const optional = (name: string) => {
    const value = values.get(name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    optional,
    required: (name) => {
      const value = optional(name)
      if (value === undefined) throw new Error(`--${name} is not a required option`)
      return value
    },
  }
}
