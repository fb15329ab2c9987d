import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Child, startChild } from '../processes/child.ts'
import { type Program, supervise } from './supervise.ts'

const pace = { firstDelayMs: 1, checkMs: 1 }

describe('a supervised program', () => {
  let folder: string
  let stopping: AbortController
  let notices: string[]
  let current: Child

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep-supervise-'))
    stopping = new AbortController()
    notices = []
  })

  afterEach(async () => {
    stopping.abort()
    await current.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is restarted after it was killed, which is reported in one line', async () => {
    const program = await start('sleep 600')
    const supervised = supervise(program, scope(), pace)
    const first = current
    first.kill('SIGKILL')
    await vi.waitUntil(() => current !== first, { timeout: 60_000 })
    expect(notices).toEqual([`printer exited (SIGKILL); restarting it in 0.001 s. Its log: ${first.logFile}`])
    expect(current.hasExited()).toBe(false)
    stopping.abort()
    await current.stop()
    await expect(supervised).resolves.toBeUndefined()
    expect(notices).toHaveLength(1)
  })

  it('stops being restarted after five exits within a minute, with increasing pauses, and prints the end of its log', async () => {
    const program = await start('echo started; exit 3')
    await expect(supervise(program, scope(), pace)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^printer exited \(code 3\), 5 times within a minute; stopping everything\. Its log: /,
      ),
      logLines: Array(5).fill('started'),
    })
    expect(notices.map((notice) => /in ([\d.]+) s/.exec(notice)?.[1])).toEqual(['0.001', '0.002', '0.004', '0.008'])
    expect(readFileSync(current.logFile, 'utf8')).toBe('started\n'.repeat(5))
  })

  it('stops being restarted after failed restarts', async () => {
    const program = await start('exit 3')
    const failing = { ...program, current, restart: () => Promise.reject(new Error('not ready')) }
    await expect(supervise(failing, scope(), pace)).rejects.toThrow(
      'printer failed to start again, 5 times within a minute',
    )
  })

  it('is killed and restarted when it stops responding', async () => {
    const program = await start('sleep 600')
    const first = current
    const check = async () => {
      if (current === first) throw new Error('no response')
    }
    const unresponsive = {
      ...program,
      check,
      get current() {
        return current
      },
    }
    const supervised = supervise(unresponsive, scope(), pace)
    await vi.waitUntil(() => current !== first, { timeout: 60_000 })
    expect(notices).toEqual([expect.stringMatching(/^printer exited \(SIGKILL\); restarting it/)])
    stopping.abort()
    await current.stop()
    await supervised
  })

  async function start(script: string): Promise<Program> {
    const restart = async () => {
      const logFile = join(folder, 'printer.log')
      current = await startChild({ name: 'printer', command: '/bin/sh', args: ['-c', script], logFile })
    }
    await restart()
    return {
      name: 'printer',
      get current() {
        return current
      },
      restart,
    }
  }

  function scope(): Parameters<typeof supervise>[1] {
    return { stopping: stopping.signal, progress: { notice: (text) => void notices.push(text) } }
  }
})
