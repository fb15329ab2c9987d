import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Child, ChildOptions } from '../processes/child.ts'
import { startChild } from '../processes/child.ts'

const run = promisify(execFile)
const composeFile = fileURLToPath(new URL('../../infra.compose.yaml', import.meta.url))

/** Whether Docker Compose is installed and the daemon is running. */
export async function canUseDocker(): Promise<boolean> {
  try {
    await run('docker', ['compose', 'version'], { timeout: 10_000 })
    await run('docker', ['info'], { timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

/** Runs one service of infra.compose.yaml in the foreground. Signals reach the server in the container. */
export async function startInDocker(options: DockerOptions): Promise<Child> {
  const { service, port, directory, ...child } = options
  const project = `storekeep-${service}-${port}`
  const compose = ['compose', '--project-name', project, '--file', composeFile]
  const env = {
    ...process.env,
    STOREKEEP_PORT: String(port),
    STOREKEEP_DIRECTORY: directory,
    STOREKEEP_USER: `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
  }
  const client = await startChild({
    ...child,
    command: 'docker',
    args: [...compose, 'up', '--no-log-prefix', service],
    stopTimeoutMs: 20_000,
    spawn: { env },
  })
  return {
    ...client,
    kill: (signal) => {
      spawn('docker', [...compose, 'kill', '--signal', signal, service], { env, stdio: 'ignore' }).on(
        'error',
        () => undefined,
      )
    },
    stop: async () => {
      await client.stop()
      await run('docker', [...compose, 'down'], { env }).catch(() => undefined)
    },
  }
}

interface DockerOptions extends Pick<ChildOptions, 'name' | 'logFile'> {
  service: 'nats-server' | 'redis-server'
  port: number
  directory: string
}
