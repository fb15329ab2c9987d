import { basename, join } from 'node:path'
import { runTool } from '../bootstrap/run-tool.mjs'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { paths } from './paths.ts'
import type { Child } from './processes/child.ts'
import { waitUntilServing } from './processes/start-node.ts'
import { runCommand, type Scope } from './run-command.ts'
import { processesOf, watchSources } from './system/changes.ts'
import { type System, startProcess, startSystem } from './system/start-system.ts'

/** Processes that this command stopped because their files changed. */
const replaced = new WeakSet<Child>()

await runCommand(
  async (scope) => {
    const system = await startSystem(scope, process.argv.slice(2), { runsSources: true })
    console.log(system.summary)
    for (const child of system.running.values()) void reportExit(scope, child)
    scope.stopping.addEventListener('abort', () => console.log('\nStopping …'), { once: true })
    scope.onEnd(await watchSources((files) => apply(scope, system, files)))
    return await system.failed
  },
  { codeWhenStopped: 0 },
)

/** Restarts the processes of the changed files. A process that fails to start is started again after the next change. */
async function apply(scope: Scope, system: System, files: readonly string[]): Promise<void> {
  try {
    if (files.some((file) => file.endsWith('.proto'))) await scope.progress.step('code from proto/', generateCode)
    const names = processesOf(files)
    for (const description of system.processes.filter(({ folder }) => names.has(basename(folder)))) {
      await scope.progress.step(`restart ${description.name}`, async () => {
        const old = system.running.get(description.name)
        if (old) replaced.add(old)
        await old?.stop()
        if (scope.stopping.aborted) return
        const child = await startProcess(description)
        system.running.set(description.name, child)
        await waitUntilServing(child, description.readyUrl)
        void reportExit(scope, child)
      })
    }
  } catch (cause) {
    console.error(`    ${cause instanceof Error ? cause.message : String(cause)}`)
    if (cause instanceof SetupError) for (const line of cause.logLines) console.error(`    | ${line}`)
  }
}

async function reportExit(scope: Scope, child: Child): Promise<void> {
  await child.exited
  if (scope.stopping.aborted || replaced.has(child)) return
  console.error(
    `  ✗ ${child.name} exited unexpectedly; change one of its files to restart it. Its log: ${child.logFile}`,
  )
}

async function generateCode(): Promise<void> {
  const bootstrap = join(paths.root, 'deploy/local/bootstrap.mjs')
  await runTool([process.execPath, bootstrap, 'codegen'], 'Cannot generate the code from proto/.')
}
