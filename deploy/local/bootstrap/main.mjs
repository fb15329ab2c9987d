import { argumentsProblem, commands, helpText } from './arguments.mjs'
import { generateCode } from './codegen.mjs'
import { handOver } from './hand-over.mjs'
import { checkMachine, useCachesOfTheCheckout } from './machine.mjs'
import { findNode } from './node.mjs'
import { installPackages, isInstalled } from './packages.mjs'
import { createProgress } from './progress.mjs'
import { SetupError } from './setup-error.mjs'

/** @type {[NodeJS.Signals, number][]} */
const exitCodes = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]

/**
 * Prepares the machine for a command, then runs its script on Node 26.
 * @param {string[]} argv
 */
export async function main([name = '', ...args]) {
  try {
    const command = commands[name]
    if (command === undefined)
      throw new SetupError(`Unknown command "${name}". The commands are ${Object.keys(commands).join(', ')}.`)
    if (args.includes('--help') && command.help !== undefined) return console.log(helpText(command))
    const problem = argumentsProblem(command, args)
    if (problem !== undefined) throw new SetupError(problem)

    for (const [signal, code] of exitCodes) process.once(signal, () => process.exit(code))
    const progress = createProgress({ quiet: command.quiet === true })
    progress.title(command.title)
    const purpose = command.runsOnly === true ? 'running' : 'everything'
    const installs = !isInstalled(purpose)
    await checkMachine(command, { installs })
    if (installs) {
      useCachesOfTheCheckout()
      await installPackages(progress, purpose)
    }
    const node = await findNode(progress)
    await generateCode(progress, node, { always: name === 'codegen' })
    if (command.script !== undefined) process.exitCode = await handOver(node, command.script, args)
  } catch (failure) {
    process.exitCode = 1
    console.error(`\n${failure instanceof Error ? failure.message : failure}`)
    if (failure instanceof SetupError) for (const line of failure.logLines) console.error(`  | ${line}`)
  }
}
