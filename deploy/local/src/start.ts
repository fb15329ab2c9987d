import { runCommand } from './run-command.ts'
import { startSystem } from './system/start-system.ts'

await runCommand(
  async (scope) => {
    const system = await startSystem(scope, process.argv.slice(2))
    console.log(system.summary)
    scope.stopping.addEventListener('abort', () => console.log('\nStopping …'), { once: true })
    return await system.failed
  },
  { codeWhenStopped: 0 },
)
