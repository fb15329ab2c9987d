import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { paths } from '../paths.ts'

const files = [
  'deploy/images/try.sh',
  'deploy/compose-secrets.mjs',
  'deploy/compose.yaml',
  'helm/storekeep/files/sign-in-test.mjs',
]

describe('the trial of the images', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep-trial-'))
    for (const file of files) cpSync(join(paths.root, file), join(folder, file))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('starts everything, signs in, and removes everything', () => {
    const { status, commands, input } = run('')
    expect([status, commands.map(([verb]) => verb)]).toEqual([0, ['up', 'run', 'stop', 'ps', 'down']])
    expect(commands[0]).toEqual(['up', '--no-build', '--wait'])
    expect(commands.at(-1)).toEqual(['down', '--volumes'])
    expect(input).toBe(readFileSync(join(folder, 'helm/storekeep/files/sign-in-test.mjs'), 'utf8'))
  })

  it.each(['up', 'run', 'stop'])('fails, and removes everything, if "%s" fails', (verb) => {
    const { status, commands } = run(`[ "$4" != ${verb} ] || exit 3`)
    expect(status).toBe(3)
    expect(commands.at(-1)).toEqual(['down', '--volumes'])
  })

  it('fails if a process exits with another code than 0', () => {
    const { status, stderr } = run('[ "$4" != ps ] || printf "bans 0\\norders 137\\n"')
    expect([status, stderr]).toEqual([1, expect.stringContaining('orders 137')])
    expect(stderr).not.toContain('bans')
  })

  /** Runs the trial with a docker that records its commands. */
  function run(script: string): { status: number | null; stderr: string; commands: string[][]; input: string } {
    const [log, input] = [join(folder, 'commands'), join(folder, 'input')]
    const record = `echo "$*" >> ${log}; [ "$4" != run ] || cat > ${input}`
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${record}\n${script}\n`, { mode: 0o755 })
    const path = `${folder}:${dirname(process.execPath)}:${process.env.PATH}`
    const { status, stderr } = spawnSync(join(folder, 'deploy/images/try.sh'), {
      env: { ...process.env, PATH: path },
      encoding: 'utf8',
    })
    const commands = readFileSync(log, 'utf8').trim().split('\n')
    const prefix = 'compose --file deploy/compose.yaml '
    expect(commands.filter((command) => !command.startsWith(prefix))).toEqual([])
    return {
      status,
      stderr,
      commands: commands.map((command) => command.slice(prefix.length).split(' ')),
      input: commands.some((command) => command.startsWith(`${prefix}run`)) ? readFileSync(input, 'utf8') : '',
    }
  }
})
