import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { expectOk } from '../processes/expect-ok.ts'
import type { Engine } from './engine.ts'

/** As strict as the chart's pods: only /tmp is writable, and no privileges can be gained. */
const confined = [
  '--network=host',
  '--read-only',
  '--tmpfs=/tmp:rw,noexec,nosuid,size=64m',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
]

/** Runs containers whose names start with `prefix`. Settings are passed in a file that only this user can read. */
export function containers(engine: Engine, place: string, prefix: string): Containers {
  const nameOf = (name: string) => `${prefix}-${name}`

  function runArguments(name: string, env: Readonly<Record<string, string>>): { args: string[]; file: string } {
    const file = join(place, `${name}.env`)
    const lines = Object.entries(env).map(([setting, value]) => `${setting}=${value}\n`)
    writeFileSync(file, lines.join(''), { mode: 0o600 })
    return { args: [...confined, ...engine.runFlags, `--env-file=${file}`, `--name=${nameOf(name)}`], file }
  }

  return {
    async runToEnd(name, image, env, command) {
      const { args, file } = runArguments(name, env)
      try {
        return await engine.run('run', '--rm', ...args, image, ...command)
      } finally {
        rmSync(file)
      }
    },
    async start(name, image, env) {
      const { args, file } = runArguments(name, env)
      try {
        await engine.run('run', '--detach', ...args, image)
      } finally {
        rmSync(file)
      }
    },
    exec: (name, command, env = {}) =>
      engine.run('exec', ...Object.entries(env).map((one) => `--env=${one.join('=')}`), nameOf(name), ...command),
    async waitFor(name, url, timeoutMs) {
      const deadline = performance.now() + timeoutMs
      while (!(await isServing(url))) {
        const state = await engine.run('inspect', '--format={{.State.Status}}', nameOf(name))
        if (state === 'exited' || performance.now() > deadline)
          throw new SetupError(`${name} is ${state} and not ready`, await logLines(name))
        await sleep(20)
      }
    },
    async stop(name) {
      await engine.run('kill', '--signal=TERM', nameOf(name))
      return Number(await engine.run('wait', nameOf(name)))
    },
    remove: async (name) => void (await engine.run('rm', '--force', nameOf(name)).catch(() => undefined)),
  }

  async function logLines(name: string): Promise<string[]> {
    return (await engine.run('logs', '--tail=12', nameOf(name)).catch(() => '')).split('\n')
  }
}

function isServing(url: string): Promise<boolean> {
  return expectOk(url).then(
    () => true,
    () => false,
  )
}

export interface Containers {
  /** @returns the output @throws when the exit code is not 0 */
  runToEnd(
    name: string,
    image: string,
    env: Readonly<Record<string, string>>,
    command: readonly string[],
  ): Promise<string>
  start(name: string, image: string, env: Readonly<Record<string, string>>): Promise<void>
  exec(name: string, command: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
  waitFor(name: string, url: string, timeoutMs: number): Promise<void>
  /** Sends SIGTERM and returns the exit code. */
  stop(name: string): Promise<number>
  remove(name: string): Promise<void>
}
