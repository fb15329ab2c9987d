import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort, reservePort } from './ports.ts'

describe('freePort', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('returns no port twice, even while nothing listens on it', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()))
    expect(new Set(ports).size).toBe(ports.length)
  })

  it('returns no port that another process has, even while nothing listens on it', async () => {
    const others = await portsOfAnotherProcess(500)
    const ours = new Set(await Promise.all(Array.from({ length: 500 }, () => freePort())))
    // Two random sets of 500 among 15,000 ports would share 17.
    expect(others.filter((port) => ours.has(port))).toEqual([])
  })

  it('returns no port that is reserved', async () => {
    const port = await freePort()
    expect(await reservePort(port)).toBe(false)
    const place = (port - 15_000 + 0.5) / 15_000
    vi.spyOn(Math, 'random').mockReturnValueOnce(place)
    expect(await freePort()).not.toBe(port)
  })
})

describe('reservePort', () => {
  it('reports that no more files can be opened, instead of a port that is taken', async () => {
    const script = `
      import { openSync } from 'node:fs'
      import { reservePort } from '${new URL('./ports.ts', import.meta.url)}'
      try {
        for (;;) openSync('/dev/null', 'r')
      } catch {}
      const reserved = await reservePort(${await freePort()}).catch((error) => error.code)
      process.stdout.write(String(reserved))`
    const limited = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)('sh', limited)
    expect(stdout).toBe('EMFILE')
  })
})

/** Ports of a process that runs until the end of the test. */
async function portsOfAnotherProcess(count: number): Promise<number[]> {
  const script = `
    import { freePort } from '${new URL('./ports.ts', import.meta.url)}'
    const ports = await Promise.all(Array.from({ length: ${count} }, () => freePort()))
    process.stdout.write(JSON.stringify(ports) + '\\n')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.endsWith('\n')) break
  }
  return JSON.parse(output)
}
