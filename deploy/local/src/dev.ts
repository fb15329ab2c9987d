import { join } from 'node:path'
import { runTool } from '../bootstrap/run-tool.mjs'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { paths } from './paths.ts'
import { runCommand, type Scope } from './run-command.ts'
import { membersOf, watchSources } from './system/changes.ts'
import { type MemberProcess, startMember } from './system/member-process.ts'
import { type System, startSystem } from './system/start-system.ts'

/** Those that were stopped because their files changed. */
const replaced = new WeakSet<MemberProcess>()

await runCommand(
  async (scope) => {
    const system = await startSystem(scope, process.argv.slice(2), { membersMayEnd: true })
    console.log(system.summary)
    for (const child of system.running.values()) void tellOfEnd(scope, child)
    scope.stopping.addEventListener('abort', () => console.log('\nStopping …'), { once: true })
    scope.onEnd(await watchSources((files) => apply(scope, system, files)))
    return await system.failed
  },
  { codeWhenStopped: 0 },
)

/** Restarts what the changed files belong to. What does not come up again waits for the next change. */
async function apply(scope: Scope, system: System, files: readonly string[]): Promise<void> {
  try {
    if (files.some((file) => file.startsWith('proto/'))) await scope.progress.step('code from proto/', generateCode)
    for (const member of system.members.filter(({ name }) => membersOf(files).has(name))) {
      await scope.progress.step(`${member.name} again`, async () => {
        const old = system.running.get(member.name)
        if (old) replaced.add(old)
        await old?.stop()
        if (scope.stopping.aborted) return
        const child = await startMember(member)
        system.running.set(member.name, child)
        await child.ready()
        void tellOfEnd(scope, child)
      })
    }
  } catch (cause) {
    console.error(`    ${cause instanceof Error ? cause.message : String(cause)}`)
    if (cause instanceof SetupError) for (const line of cause.logLines) console.error(`    | ${line}`)
  }
}

/** A member that ends on its own stays down, which nobody would see otherwise. */
async function tellOfEnd(scope: Scope, child: MemberProcess): Promise<void> {
  await child.exited
  if (scope.stopping.aborted || replaced.has(child)) return
  console.error(
    `  ✗ ${child.name} ended unexpectedly; it starts again with the next change of its files. Its log: ${child.logFile}`,
  )
}

async function generateCode(): Promise<void> {
  const bootstrap = join(paths.root, 'deploy/local/bootstrap.mjs')
  await runTool([process.execPath, bootstrap, 'codegen'], 'The code could not be generated from proto/.')
}
