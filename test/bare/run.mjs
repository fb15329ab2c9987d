// `npm run test:bare`: proves that `npm start` and `npm test` work on a machine that has nothing but Node, npm, git and CA
// certificates, and that what can go wrong there is reported with its remedy. Takes half an hour. The arguments `start`, `test` and
// `messages` select parts.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BareMachine } from './machine.mjs'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const logs = join(repository, '.data/bare')
/** Contains a space, which scripts must quote. */
const checkout = '/home/dev/my store'
const parts = process.argv.slice(2)
const wants = (/** @type {string} */ part) => parts.length === 0 || parts.includes(part)
let [passed, failed] = [0, 0]

if (process.platform !== 'linux' || process.getuid?.() !== 0 || spawnSync('debootstrap', ['--version']).error) {
  console.error('npm run test:bare needs root on Debian with debootstrap. Install it with: apt-get install debootstrap')
  process.exit(1)
}
rmSync(logs, { recursive: true, force: true })
mkdirSync(logs, { recursive: true })
const machine = new BareMachine()
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    machine.remove()
    process.exit(130)
  })
}
try {
  if (await step('a minimal Debian', async () => machine.build())) await checkParts()
} finally {
  machine.remove()
  console.log(`\n${passed} passed, ${failed} failed${failed > 0 ? `; the output is in ${logs}` : ''}`)
  process.exitCode = failed > 0 ? 1 : 0
}

async function checkParts() {
  if (wants('messages')) await checkMessages()
  for (const user of ['dev', 'root']) {
    if (wants('start')) await step(`npm start as ${user}, on a new clone`, () => checkStart(user))
    if (!wants('test')) continue
    await step(`npm test as ${user}, on a new clone`, () => checkTests(user))
    await step(`npm test as ${user}, again`, () => checkTests(user, { again: true }))
  }
}

/** Anything missing on the machine is reported before the installation, or does not matter. */
async function checkMessages() {
  const server = createServer()
  await new Promise((listening) => server.listen(8080, '127.0.0.1', () => listening(undefined)))
  await expectMessage('a port that is taken', {
    message: /^Port 8080 on 127\.0\.0\.1 is already in use.* PORT=\d+ npm start/m,
  })
  await new Promise((closed) => server.close(closed))
  await expectMessage('a port that is none', { environment: { PORT: 'abc' }, message: /PORT must be a whole number/ })
  await expectMessage('no network', {
    network: false,
    message: /^The package registry cannot be reached \(.+\)\. Check/m,
  })
  machine.mountSmallDisk('/home/dev/small', '500m')
  await expectMessage('a full disk', { folder: '/home/dev/small/storekeep', message: /needs 1 GB of free disk space/ })
  await expectMessage('a folder of another user', { owner: 'root', message: /^Cannot write to .*give your user/m })
  await step('npm start with a home folder that cannot be written', () =>
    checkStart('dev', { HOME: '/srv/read-only-home', npm_config_userconfig: '/srv/read-only-home/.npmrc' }),
  )
}

/**
 * @param {string} name
 * @param {{ message: RegExp, folder?: string, owner?: string, environment?: Record<string, string>, network?: boolean }} options
 */
async function expectMessage(name, { message, folder = checkout, owner = 'dev', ...options }) {
  await step(`npm start reports ${name}`, async () => {
    machine.clone(repository, folder, owner)
    const command = machine.start('npm start', { user: 'dev', folder, log: logOf(name), ...options })
    const code = await command.ended
    if (code !== 1 || !message.test(command.output()))
      throw new Error(`exit code ${code}: ${command.output().slice(-500)}`)
  })
}

/** @param {string} user @param {Record<string, string>} environment */
async function checkStart(user, environment = {}) {
  machine.clone(repository, checkout, user)
  const command = machine.start('npm start', { user, folder: checkout, environment, log: logOf(`start-${user}`) })
  try {
    if (!(await command.printed('Press Ctrl-C to stop.'))) throw new Error(command.output().slice(-2000))
    const [, url = ''] = /^Storekeep is running at (\S+)/m.exec(command.output()) ?? []
    const [, page = ''] = /^Checkout page +(\S+)/m.exec(command.output()) ?? []
    for (const address of [`${url}/openapi.json`, `${url}/docs`, page]) {
      const { status } = await fetch(address)
      if (status !== 200) throw new Error(`${address} responds with ${status}.`)
    }
  } finally {
    command.signal('SIGINT')
    await command.ended
  }
}

/** @param {string} user @param {{ again?: boolean }} options */
async function checkTests(user, { again = false } = {}) {
  if (!again) machine.clone(repository, checkout, user)
  const log = logOf(`test-${user}${again ? '-again' : ''}`)
  const command = machine.start('npm test', { user, folder: checkout, log })
  await command.ended
  const [line = 'no result'] =
    /^\d+ passed, \d+ failed$/m.exec(command.output().trimEnd().split('\n').at(-1) ?? '') ?? []
  if (!/^[1-9]\d* passed, 0 failed$/.test(line)) throw new Error(`${line}; see ${log}`)
  console.log(`    ${line}`)
}

/** @param {string} name */
function logOf(name) {
  return join(logs, `${name.replaceAll(/\W+/g, '-')}.log`)
}

/**
 * @param {string} name
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>} whether it succeeded
 */
async function step(name, work) {
  const started = performance.now()
  /** @type {string | undefined} */
  const problem = await work().then(
    () => undefined,
    (cause) => (cause instanceof Error ? cause.message : String(cause)),
  )
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`  ${problem === undefined ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (problem === undefined) passed += 1
  else {
    failed += 1
    console.log(`    ${problem}`)
  }
  return problem === undefined
}
