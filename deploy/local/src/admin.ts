import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'
import { readLiveLock } from './system/lock.ts'
import { adminCallKeys } from './system/secrets.ts'

await runCommand(
  async () => {
    const args = process.argv.slice(2)
    const running = readLiveLock(paths.running)
    const isHelp = args.length === 0 || args.includes('--help') || args.includes('help')
    if (running?.addresses === undefined && !isHelp) {
      throw new SetupError('Storekeep is not running in this folder. Start it with: npm start')
    }
    return await runAdmin(args, running?.addresses && { ...running.addresses, CALL_KEYS: adminCallKeys(paths.secrets) })
  },
  { quiet: true },
)

function runAdmin(args: readonly string[], settings: Record<string, string> = {}): Promise<number> {
  const script = join(paths.root, 'services/admin-tools/src/main.ts')
  // The terminal sends it to the child too, which may have something to finish.
  process.on('SIGINT', () => {})
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
