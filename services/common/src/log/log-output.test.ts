import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createLogger } from './index.ts'
import { createLogOutput } from './log-output.ts'

/** Logs three lines to stdout, then prints to stderr that it is still running and how many lines it dropped. */
const program = (logger: string) => `
  import { createLogger, standardOutput } from ${JSON.stringify(fileURLToPath(new URL('index.ts', import.meta.url)))}
  import { writeSync } from 'node:fs'
  const log = ${logger}
  for (let line = 0; line < 3; line++) {
    log.info('a line')
    standardOutput.flush()
    await new Promise(setImmediate)
  }
  process.stderr.write('running, dropped ' + standardOutput.dropped())
`

describe.runIf(process.platform === 'linux')('a process whose log cannot be written', () => {
  it.each([
    ['the disk is full', () => openSync('/dev/full', 'w')],
    ['the reader of the pipe is gone', () => 'pipe' as const],
  ])('continues and counts the dropped lines: %s', async (_reason, stdout) => {
    expect(await run(program(`createLogger({ service: 'test' })`), stdout())).toBe('running, dropped 3')
  })

  it('ends if write errors are not handled (negative control)', async () => {
    const unsafe = `createLogger({ service: 'test', destination: { write: (line) => writeSync(1, line) } })`
    const output = await run(program(unsafe), openSync('/dev/full', 'w'))
    expect(output).toContain('ENOSPC')
    expect(output).not.toContain('running')
  })
})

describe.runIf(process.platform === 'linux')('a log that can be written again', () => {
  it('starts with a complete line and reports once how many lines were dropped', () => {
    const folder = mkdtempSync(join(tmpdir(), 'storekeep-log-'))
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    const output = createLogOutput(pipe)
    const log = createLogger({ service: 'test', output })
    // Longer than what a pipe writes in one piece, so that the last line that fits is cut.
    const long = 'x'.repeat(5000)
    while (output.dropped() < 3) {
      log.info(long)
      output.flush()
    }
    drain(pipe)
    log.info('again')
    output.flush()
    log.info('and again')
    output.flush()
    const [cut, ...lines] = drain(pipe).trimEnd().split('\n')
    expect(cut).toBe('')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'again' },
      { msg: 'and again' },
      { level: 'warn', count: 3, msg: 'log write failed: lines dropped' },
    ])
    closeSync(pipe)
    rmSync(folder, { recursive: true })
  })
})

describe.runIf(process.platform === 'linux')('gathered lines', () => {
  it.each(['process.exit()', 'throw new Error()'])('are written when the process ends by %s', async (end) => {
    const source = `
      import { createLogger } from ${JSON.stringify(fileURLToPath(new URL('index.ts', import.meta.url)))}
      createLogger({ service: 'test' }).info('the last line')
      ${end}`
    const folder = mkdtempSync(join(tmpdir(), 'storekeep-log-'))
    const path = join(folder, 'log')
    const file = openSync(path, 'w')
    await run(source, file)
    closeSync(file)
    expect(readFileSync(path, 'utf8')).toContain('the last line')
    rmSync(folder, { recursive: true })
  })

  it('are written together, immediately when there is an error among them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'storekeep-log-'))
    const path = join(folder, 'log')
    const file = openSync(path, 'w')
    const log = createLogger({ service: 'test', output: createLogOutput(file) })
    log.info('first')
    expect(readFileSync(path, 'utf8')).toBe('')
    log.error('second')
    expect(readFileSync(path, 'utf8')).toMatch(/first.*\n.*second.*\n$/)
    closeSync(file)
    rmSync(folder, { recursive: true })
  })
})

function drain(pipe: number): string {
  const buffer = Buffer.alloc(1024 * 1024)
  return buffer.toString('utf8', 0, readSync(pipe, buffer))
}

async function run(source: string, stdout: number | 'pipe'): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', source]
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', stdout, 'pipe'] })
  child.stdout?.destroy()
  return child.stderr ? await text(child.stderr) : ''
}
