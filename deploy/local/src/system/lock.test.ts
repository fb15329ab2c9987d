import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLiveLock, takeLock } from './lock.ts'

describe('lock', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep lock '))
    file = join(folder, 'running.json')
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is rejected with the name of the live process that holds it', async () => {
    const holder = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000) // mark-of-holder'])
    await new Promise((resolve) => holder.once('spawn', resolve))
    writeFileSync(file, JSON.stringify({ pid: holder.pid, base_url: 'http://x' }))
    expect(() => takeLock(file, ({ pid, base_url }) => `held by ${pid} at ${base_url}`, 'mark-of-holder')).toThrow(
      `held by ${holder.pid} at http://x`,
    )
    expect(readLiveLock(file, 'mark-of-holder')?.pid).toBe(holder.pid)
    holder.kill()
    await new Promise((resolve) => holder.once('exit', resolve))
    takeLock(file, () => 'held', 'mark-of-holder').release()
    expect(existsSync(file)).toBe(false)
  })

  it('is taken over from a dead process, from an unrelated process with the same id and from a truncated file', () => {
    for (const content of [JSON.stringify({ pid: 2 ** 22 - 1 }), JSON.stringify({ pid: process.ppid }), '{"pi', '']) {
      writeFileSync(file, content)
      const lock = takeLock(file, () => 'held', 'no command line holds this')
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ pid: process.pid })
      lock.release()
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('holds the addresses of the system', () => {
    const lock = takeLock(file, () => 'held', 'vitest')
    lock.describe({ base_url: 'http://localhost:1', addresses: { STORES_ADDRESS: 'localhost:2' } })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      pid: process.pid,
      base_url: 'http://localhost:1',
      addresses: { STORES_ADDRESS: 'localhost:2' },
    })
  })
})
