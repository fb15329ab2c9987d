import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import type { Engine } from './engine.ts'

/** As strict as the chart's pods: nothing may be written but /tmp, and nothing be gained. */
const confined = [
  '--network=host',
  '--read-only',
  '--tmpfs=/tmp:rw,noexec,nosuid,size=64m',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
]

/** Runs containers whose names begin with `prefix`, their settings going by a file that only we may read. */
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
        return await engine.tell('run', '--rm', ...args, image, ...command)
      } finally {
        rmSync(file)
      }
    },
    async start(name, image, env) {
      const { args, file } = runArguments(name, env)
      try {
        await engine.tell('run', '--detach', ...args, image)
      } finally {
        rmSync(file)
      }
    },
    exec: (name, command, env = {}) =>
      engine.tell('exec', ...Object.entries(env).map((one) => `--env=${one.join('=')}`), nameOf(name), ...command),
    async waitFor(name, url, timeoutMs) {
      const deadline = performance.now() + timeoutMs
      while (!(await answers(url))) {
        const state = await engine.tell('inspect', '--format={{.State.Status}}', nameOf(name))
        if (state === 'exited' || performance.now() > deadline)
          throw new SetupError(`${name} is ${state} and does not answer`, await logLines(name))
        await sleep(20)
      }
    },
    async stop(name) {
      await engine.tell('kill', '--signal=TERM', nameOf(name))
      return Number(await engine.tell('wait', nameOf(name)))
    },
    remove: async (name) => void (await engine.tell('rm', '--force', nameOf(name)).catch(() => undefined)),
  }

  async function logLines(name: string): Promise<string[]> {
    return (await engine.tell('logs', '--tail=12', nameOf(name)).catch(() => '')).split('\n')
  }
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )
}

export interface Containers {
  /** @returns what it printed @throws when it ends with another code than 0 */
  runToEnd(
    name: string,
    image: string,
    env: Readonly<Record<string, string>>,
    command: readonly string[],
  ): Promise<string>
  start(name: string, image: string, env: Readonly<Record<string, string>>): Promise<void>
  exec(name: string, command: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
  waitFor(name: string, url: string, timeoutMs: number): Promise<void>
  /** Asks it to end, and answers its exit code. */
  stop(name: string): Promise<number>
  remove(name: string): Promise<void>
}
