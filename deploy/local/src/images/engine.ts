import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { lastLines, startChild } from '../processes/child.ts'

const run = promisify(execFile)

/** Docker where it answers, else Podman, which has no engine that must be running. */
export async function findEngine(): Promise<Engine> {
  if (await works('docker', ['info'])) return engine('docker', [], [])
  // Podman works inside a container too where build steps share our name spaces and the limits are not higher than it may
  // grant. It would let more places than /tmp be written to.
  if (await works('podman', ['info']))
    return engine(
      'podman',
      ['--layers', '--isolation=chroot'],
      ['--ulimit=nofile=20000:20000', '--ulimit=nproc=4096:4096', '--read-only-tmpfs=false'],
    )
  throw new SetupError(
    'Neither docker nor podman answers here. Start Docker, or install Podman; on Debian: apt-get install --no-install-recommends podman buildah runc',
  )
}

function engine(program: Engine['program'], buildFlags: readonly string[], runFlags: readonly string[]): Engine {
  const tell = async (...args: readonly string[]) => {
    const { stdout } = await run(program, args, { maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  }
  return {
    program,
    tell,
    runFlags,
    // Clients before 23 build by BuildKit only when asked; the Dockerfile mounts secrets and caches, which needs it.
    build: (name, args) =>
      logged(program, `build-${name}`, ['build', ...buildFlags, ...args], { DOCKER_BUILDKIT: '1' }),
    has: (image) => works(program, ['image', 'inspect', image]),
  }
}

/** A step whose output nobody wants to read unless it fails. */
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
  return await run(program, args, { timeout: 30_000 }).then(
    () => true,
    () => false,
  )
}

export interface Engine {
  readonly program: 'docker' | 'podman'
  /** Flags of `run` that this engine needs. */
  readonly runFlags: readonly string[]
  /** Runs the program and answers what it prints. */
  tell(...args: readonly string[]): Promise<string>
  /** Builds, with the output in a log named after the image. */
  build(name: string, args: readonly string[]): Promise<void>
  has(image: string): Promise<boolean>
}
