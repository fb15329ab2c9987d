import type { Command } from './command.ts'
import type { Invocation } from './config.ts'
import { alignColumns } from './output.ts'

/** What `--help` prints. */
export function overview(commands: readonly Command[], { usual }: Invocation): string {
  return [
    'Administers a running Storekeep: its stores, their API keys, events that were given up.',
    '',
    `Usage: ${usual} <command> [flags]`,
    '',
    'Commands:',
    ...indent(alignColumns(commands.map(({ name, summary }) => [name, summary]))),
    '',
    `Flags and examples of a command: ${usual} <command> --help`,
  ].join('\n')
}

/** What `<command> --help` prints. */
export function commandHelp({ name, summary, flags, examples }: Command, { usual, quiet }: Invocation): string {
  const required = flags.filter((flag) => flag.required).map((flag) => `--${flag.name} ${flag.value} `)
  const rows = flags.map((flag) => [
    `--${flag.name} ${flag.value}`,
    flag.required ? `${flag.help} Required.` : flag.help,
  ])
  return [
    summary,
    '',
    `Usage: ${usual} ${name} ${required.join('')}[flags]`,
    '',
    'Flags:',
    ...indent(alignColumns([...rows, ['--json', `Prints JSON, for programs: ${quiet} …`], ['--help', 'Prints this.']])),
    '',
    'Examples:',
    ...indent(
      examples.map((example) => [example.includes('--json') ? quiet : usual, name, example].join(' ').trimEnd()),
    ),
  ].join('\n')
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
