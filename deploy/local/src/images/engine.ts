import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { lastLines, startChild } from '../processes/child.ts'

const execute = promisify(execFile)

/** Docker if its daemon is running, else Podman, which needs no daemon. */
export async function findEngine(): Promise<Engine> {
  if (await works('docker', ['info'])) return engine('docker', [], [])
  // Inside a container, Podman needs build steps that share our namespaces and limits no higher than the container's.
  // By default, Podman makes more folders than /tmp writable.
  if (await works('podman', ['info']))
    return engine(
      'podman',
      ['--layers', '--isolation=chroot'],
      ['--ulimit=nofile=20000:20000', '--ulimit=nproc=4096:4096', '--read-only-tmpfs=false'],
    )
  throw new SetupError(
    'Neither Docker nor Podman is usable. Start Docker, or install Podman (on Debian: apt-get install --no-install-recommends podman buildah runc).',
  )
}

function engine(program: Engine['program'], buildFlags: readonly string[], runFlags: readonly string[]): Engine {
  const run = async (...args: readonly string[]) => {
    const { stdout } = await execute(program, args, { maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  }
  return {
    program,
    run,
    runFlags,
    // The Dockerfile needs BuildKit for its secret and cache mounts; clients before 23 do not use it by default.
    build: (name, args) =>
      logged(program, `build-${name}`, ['build', ...buildFlags, ...args], { DOCKER_BUILDKIT: '1' }),
    has: (image) => works(program, ['image', 'inspect', image]),
  }
}

/** Runs a program with its output in a log; the end of the log is printed if it fails. */
export async function logged(
  program: string,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const logFile = join(paths.logs, `${name}.log`)
  const spawn = { cwd: paths.root, env: { ...process.env, ...env } }
  const child = await startChild({ name, command: program, args, logFile, spawn })
  const { code } = await child.exited
  if (code !== 0) throw new SetupError(`${name} failed; its log is ${logFile}`, lastLines(child))
}

async function works(program: string, args: readonly string[]): Promise<boolean> {
  return await execute(program, args, { timeout: 30_000 }).then(
    () => true,
    () => false,
  )
}

export interface Engine {
  readonly program: 'docker' | 'podman'
  /** Additional flags of `run` for this engine. */
  readonly runFlags: readonly string[]
  /** Runs a command of the engine and returns its output. */
  run(...args: readonly string[]): Promise<string>
  /** Builds an image; the log is named after it. */
  build(name: string, args: readonly string[]): Promise<void>
  has(image: string): Promise<boolean>
}
