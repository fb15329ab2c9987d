import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '@storekeep/common/postgres'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import type { Scope } from '../run-command.ts'

/**
 * Keeps the system readable while the disk of `folder` is full. Without free space Postgres refuses new connections, and
 * exits once it cannot extend its log. So a reserve is kept on the disk. When the disk is nearly full, the reserve is
 * released and Postgres becomes read-only, which leaves the space to reads: writes fail with 503 until there is more.
 *
 * Returns after the first check, and continues until the command stops.
 *
 * @param options.setReadOnly may fail while Postgres is unavailable, and is then called again
 * @throws SetupError if the disk is full at the start
 */
export async function guardDisk(options: GuardOptions, { stopping, progress }: GuardScope): Promise<void> {
  const { folder, setReadOnly, measure = freeBytes } = options
  const reserve = join(folder, 'reserve')
  let isFull = false
  let isReadOnly: boolean | undefined

  async function check(): Promise<void> {
    const free = await measure(folder)
    isFull = isFull ? free < resumeBytes : free < fullBytes
    if (isFull) rmSync(reserve, { force: true })
    if (isFull === isReadOnly) return
    await setReadOnly(isFull)
    if (isFull)
      progress.notice(`The disk of ${folder} is full: writes are refused until ${resumeBytes / mb} MB are free`)
    else if (isReadOnly) progress.notice(`The disk of ${folder} has space again: writes are accepted`)
    isReadOnly = isFull
    // Random, because a file system with compression stores zeros in no space.
    if (!isFull) writeFileSync(reserve, randomBytes(reserveBytes))
  }

  rmSync(reserve, { force: true })
  if ((await measure(folder)) < resumeBytes) {
    throw new SetupError(
      `The disk of ${folder} is full: Storekeep needs ${resumeBytes / mb} MB of free space to start.`,
    )
  }
  await check()
  void (async () => {
    while (!stopping.aborted) {
      await sleep(checkMs, undefined, { signal: stopping }).catch(() => undefined)
      await check().catch(() => undefined)
    }
  })()
}

/** Whether the disk has the space that a server needs to start. */
export async function hasSpaceToStart(folder: string): Promise<boolean> {
  return (await freeBytes(folder)) >= fullBytes
}

/** Makes all transactions of a server read-only, or read-write again, in open connections, too. */
export function createReadOnlySwitch(adminUrl: string): (readOnly: boolean) => Promise<void> {
  return async (readOnly) => {
    await withClient({ url: adminUrl, connectMs: 2_000, statementMs: 5_000 }, async (client) => {
      await client.query(
        `alter system ${readOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`,
      )
      await client.query('select pg_reload_conf()')
    })
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const mb = 1024 * 1024
/** Two segments of Postgres's log. */
const fullBytes = 32 * mb
const reserveBytes = 64 * mb
/** Includes the reserve, which is taken again. */
const resumeBytes = reserveBytes + 64 * mb
const checkMs = 500

interface GuardOptions {
  folder: string
  setReadOnly(readOnly: boolean): Promise<void>
  /** Free bytes of the disk; replaced by tests. */
  measure?: (folder: string) => Promise<number>
}

type GuardScope = Pick<Scope, 'stopping'> & { progress: Pick<Scope['progress'], 'notice'> }
