import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'

export const root = resolve(import.meta.dirname, '../../..')

/** Runs a program and returns its output. @throws Error with the output if it fails */
export type Run = (command: string, args: readonly string[], cwd?: string) => Promise<string>

/**
 * Installs the generators and compilers into .infra/, once for each version of the list. Go and most generators come as
 * Python packages, oapi-codegen from Go's module proxy; the Java client needs what is on the PATH.
 * @throws Error if Python, or Maven and a JDK, are not on the PATH
 */
export async function installTools(): Promise<Run> {
  const requirements = join(import.meta.dirname, 'requirements.txt')
  const version = createHash('sha256').update(readFileSync(requirements)).update(oapiCodegen).digest('hex').slice(0, 12)
  const target = join(root, '.infra', `clients-${version}`)
  const bin = join(target, 'bin')
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].join(delimiter),
    GOPATH: join(target, 'go'),
    GOBIN: bin,
    GOFLAGS: '-modcacherw',
    GOTOOLCHAIN: 'local',
  }
  const run: Run = async (command, args, cwd = root) => {
    const running = promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 26 })
    const { stdout, stderr } = await running.catch((error: Error & { stdout: string; stderr: string }) => {
      throw new Error(`${command} failed: ${error.stdout}${error.stderr || error.message}`)
    })
    return stdout + stderr
  }
  await expectProgram(run('mvn', ['--version']), 'Maven with a JDK of version 17 or later')
  const complete = join(target, 'complete')
  if (existsSync(complete)) return run
  await rm(target, { recursive: true, force: true })
  await expectProgram(run('python3', ['-m', 'venv', target]), 'Python 3.11 or later, with venv')
  await run('pip', ['install', '--quiet', '--requirement', requirements])
  await run('go', ['install', oapiCodegen])
  await writeFile(complete, '')
  return run
}

const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'

async function expectProgram(running: Promise<string>, what: string): Promise<void> {
  await running.catch((cause) => {
    throw new Error(`The tests of generated clients need ${what} on the PATH.`, { cause })
  })
}
