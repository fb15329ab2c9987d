import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { paths } from './paths.ts'
import { guardChild } from './processes/index.ts'
import { runCommand, type Scope } from './run-command.ts'
import { readLiveLock } from './system/lock.ts'
import { adminCallKeys } from './system/secrets.ts'

await runCommand(
  async (scope) => {
    const args = process.argv.slice(2)
    const running = readLiveLock(paths.running)
    const isHelp = args.length === 0 || args.includes('--help') || args.includes('help')
    if (running?.addresses === undefined && !isHelp) {
      throw new SetupError('Storekeep is not running in this folder. Start it with: npm start')
    }
    const settings = running?.addresses && { ...running.addresses, CALL_KEYS: adminCallKeys(paths.secrets) }
    return await runAdmin(scope, args, settings)
  },
  { quiet: true },
)

function runAdmin(scope: Scope, args: readonly string[], settings: Record<string, string> = {}): Promise<number> {
  const script = join(paths.root, 'services/admin-tools/src/main.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  })
  guardChild(child)
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
  // Ctrl-C reaches the child, too, but a signal to npm does not. The child may have work to finish.
  scope.onEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return ended
}
