import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { downloadDebianPrograms, findDebianProgram } from './debian.ts'
import { canUseDocker } from './docker.ts'

/**
 * Where to get a server program that npm has no package of: the PATH, else Debian's packages unpacked without root,
 * else Docker. What was downloaded once is found again without any network.
 */
export async function findServer(name: ServerName): Promise<ServerSource> {
  const found = findOnPath(name) ?? findDebianProgram(name)
  if (found) return found
  download ??= downloadDebianPrograms(debianPackages)
  const trouble = await download
  const downloaded = findDebianProgram(name)
  if (downloaded) return downloaded
  if (await canUseDocker()) return { kind: 'docker' }
  throw new SetupError(
    `No ${name} found: not on the PATH, not by apt (${trouble ?? 'its packages lack it'}), and Docker is not usable. ` +
      `Install nats-server and redis-server (apt-get install nats-server redis-server, or brew install nats-server redis) ` +
      `or set ${settings[name]}.`,
  )
}

/** Shared by those who ask at the same time. */
let download: Promise<string | undefined> | undefined

/** A program that the machine has by itself. */
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

const debianPackages = ['nats-server', 'redis-server']
const settings = { 'nats-server': 'NATS_URL', 'redis-server': 'REDIS_URL' }

export type ServerName = keyof typeof settings

export type ServerSource = { kind: 'program'; command: string; env: Record<string, string> } | { kind: 'docker' }
