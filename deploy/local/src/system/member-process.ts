import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { type Child, lastLines, startChild, waitUntilReady } from '../processes/child.ts'
import type { Member } from './members.ts'

/** Starts a member of the system on this Node; `ready` waits until it can do its work. */
export async function startMember(member: Member): Promise<MemberProcess> {
  const child = await startChild({
    name: member.name,
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(paths.root, member.folder, 'src/main.ts')],
    logFile: join(paths.logs, `${member.name}.log`),
    stopTimeoutMs: 25_000,
    spawn: { env: { NODE_COMPILE_CACHE: paths.compileCache, ...process.env, ...member.env }, cwd: paths.root },
  })
  return { ...child, ready: () => waitUntilMemberReady(child, member.readyUrl) }
}

async function waitUntilMemberReady(child: Child, url: string): Promise<void> {
  try {
    await waitUntilReady(child, () => expectOk(url))
  } catch (cause) {
    // A process that refuses its settings ends with the one line that names them.
    const settings = lastLines(child, 3).find((line) => line.startsWith('Invalid settings: '))
    throw settings ? new SetupError(`${child.name}: ${settings}`) : cause
  }
}

async function expectOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers ${response.status}`)
}

export interface MemberProcess extends Child {
  ready(): Promise<void>
}
