import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { downloadDebianPrograms, findDebianProgram } from './debian.ts'
import { canUseDocker } from './docker.ts'

/**
 * Finds a server that npm has no package of: on the PATH, else in Debian packages unpacked without root, else in Docker.
 * Packages are downloaded once.
 */
export async function findServer(name: ServerName): Promise<ServerSource> {
  const found = findOnPath(name) ?? findDebianProgram(name)
  if (found) return found
  const problem = await downloadPrograms()
  const downloaded = findDebianProgram(name)
  if (downloaded) return downloaded
  if (await canUseDocker()) return { kind: 'docker' }
  throw new SetupError(
    `Storekeep needs nats-server and redis-server on the PATH, or Docker. ${name} is not on the PATH, cannot be ` +
      `downloaded from Debian (${problem ?? 'the packages do not contain it'}), and Docker is not running. Install both ` +
      '(brew install nats-server redis, or your package manager), start Docker, or set NATS_URL and REDIS_URL.',
  )
}

/** Downloads the Debian packages, once for concurrent callers. @returns the reason for a failure */
export function downloadPrograms(): Promise<string | undefined> {
  download ??= downloadDebianPrograms(debianPackages)
  return download
}

let download: Promise<string | undefined> | undefined

/** Finds a program installed on this machine. */
export function findOnPath(name: string): Extract<ServerSource, { kind: 'program' }> | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
  for (const folder of folders) {
    if (folder === '' || folder.startsWith(paths.root)) continue
    const command = join(folder, name)
    if (isExecutable(command)) return { kind: 'program', command, env: {} }
  }
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const debianPackages = ['nats-server', 'redis-server', 'openssl', 'curl']
export type ServerName = 'nats-server' | 'redis-server'

export type ServerSource = { kind: 'program'; command: string; env: Record<string, string> } | { kind: 'docker' }
