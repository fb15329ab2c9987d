import type { Command } from './command.ts'
import { alignColumns } from './output.ts'

/** What `npm run admin -- --help` prints. */
export function overview(commands: readonly Command[]): string {
  return [
    'Administers a running Storekeep: its stores, their API keys, events that were given up.',
    '',
    `Usage: ${invocation} <command> [flags]`,
    '',
    'Commands:',
    ...indent(alignColumns(commands.map(({ name, summary }) => [name, summary]))),
    '',
    `Flags and examples of a command: ${invocation} <command> --help`,
  ].join('\n')
}

/** What `npm run admin -- <command> --help` prints. */
export function commandHelp({ name, summary, flags, examples }: Command): string {
  const required = flags.filter((flag) => flag.required).map((flag) => `--${flag.name} ${flag.value} `)
  const rows = flags.map((flag) => [
    `--${flag.name} ${flag.value}`,
    flag.required ? `${flag.help} Required.` : flag.help,
  ])
  return [
    summary,
    '',
    `Usage: ${invocation} ${name} ${required.join('')}[flags]`,
    '',
    'Flags:',
    ...indent(
      alignColumns([
        ...rows,
        ['--json', `Prints JSON, for programs: ${quietInvocation} …`],
        ['--help', 'Prints this.'],
      ]),
    ),
    '',
    'Examples:',
    ...indent(
      examples.map((example) =>
        [example.includes('--json') ? quietInvocation : invocation, name, example].join(' ').trimEnd(),
      ),
    ),
  ].join('\n')
}

const invocation = 'npm run admin --'
/** Without the lines that npm itself prints first. */
const quietInvocation = 'npm run --silent admin --'

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
