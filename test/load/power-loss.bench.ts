import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@storekeep/local/infra'
import { type System, seededRandom, startSystem, type TestStore } from '@storekeep/test/kit'
import { countByName } from '../faults/keyed-writes.ts'
import { newCustomerWrite, writeUntilSuccessful } from '../faults/retrying-writer.ts'
import { print } from './print.ts'

/**
 * Cuts the power of the Postgres server under writes: its file system drops everything that was not synced, and the
 * server is killed. Counts acknowledged writes that are missing afterwards, with the settings of `npm start` and, as
 * the negative control, without fsync. Requires Linux and root, because it mounts file systems.
 */
const rounds = Number(process.env.ROUNDS ?? 5)
const writesPerRound = Number(process.env.WRITES ?? 400)
const random = seededRandom()

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH; Node has no ioctl. */
const shutdownFileSystem =
  'open(my $f, "<", $ARGV[0]) or die $!; my $flags = pack("L", 2); ioctl($f, 0x8004587d, $flags) or die $!'

if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('This benchmark needs Linux and root.')
print(`seed ${random.seed}, ${rounds} power cuts, about ${writesPerRound} writes before each`)
const durable = await cutPower({ fast: false })
print(`settings of npm start: ${durable.text}`)
const control = await cutPower({ fast: true })
print(`without fsync:         ${control.text}`)
if (durable.isLost || !control.isLost) process.exitCode = 1

/** Stops at the first cut after which data is missing. */
async function cutPower({ fast }: { fast: boolean }): Promise<{ text: string; isLost: boolean }> {
  const volume = createVolume()
  const options = { dataDir: join(volume.path, 'cluster'), logFile: `${volume.path}.log`, fast }
  let server = await startPostgres(options)
  process.env.TEST_DATABASE_ADMIN_URL = server.url
  const system = await startSystem({
    only: ['stores', 'customers', 'bans', 'coupons', 'custom-variables', 'checkout'],
    gateways: [{ RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' }],
  })
  try {
    const store = await system.createStore()
    const shop = store.through(system.openGateway(0, { checked: false }))
    const names: string[] = []
    for (let round = 1; round <= rounds; round++) {
      const cutAfter = names.length + Math.ceil(writesPerRound / 2) + random.below(writesPerRound)
      const writers = startWriters(shop, names)
      await writers.until(() => names.length >= cutAfter)
      // The file system stops first, so that Postgres cannot write anything when it ends.
      volume.cutPower()
      server.kill('SIGKILL')
      await server.exited
      volume.remount()
      const problem = await startPostgres({ ...options, port: server.port }).then(
        (started) => {
          server = started
          return problemIn(system, [...names])
        },
        (error: unknown) => `Postgres does not start: ${error}`,
      )
      if (problem) {
        writers.abandon()
        return { text: `${names.length} acknowledged; after cut ${round} ${problem}`, isLost: true }
      }
      await writers.stop()
    }
    return { text: `${names.length} acknowledged, 0 lost, 0 duplicates after ${rounds} cuts`, isLost: false }
  } finally {
    await system.stop()
    await server.stop()
    volume.remove()
  }
}

/** What is wrong with the customers of these names, or undefined when each exists once. */
async function problemIn(system: System, names: readonly string[]): Promise<string | undefined> {
  try {
    const counts = await countByName(system, names)
    const lost = names.filter((name) => !counts.has(name)).length
    const duplicates = names.filter((name) => (counts.get(name) ?? 0) > 1).length
    return lost + duplicates > 0 ? `${lost} are lost, ${duplicates} are duplicates` : undefined
  } catch (error) {
    return `the data cannot be read: ${error}`
  }
}

/** Writes customers, eight at a time, each until it is acknowledged. */
function startWriters(shop: TestStore, names: string[]) {
  let isOver = false
  const write = async () => {
    while (!isOver) {
      const next = newCustomerWrite()
      await writeUntilSuccessful([shop], next, { keyed: true })
      names.push(next.input?.name ?? '')
    }
  }
  const done = Promise.all(Array.from({ length: 8 }, write))
  done.catch(() => undefined)
  return {
    until: async (isReached: () => boolean) => {
      while (!isReached()) await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 1))])
    },
    stop: async () => {
      isOver = true
      await done
    },
    abandon: () => {
      isOver = true
    },
  }
}

/** An ext4 file system in a file. */
function createVolume() {
  const path = mkdtempSync(join(tmpdir(), 'storekeep-power-'))
  const image = `${path}.ext4`
  writeFileSync(image, '')
  truncateSync(image, 2 ** 30)
  run('mkfs.ext4', '-q', image)
  const mount = () => run('mount', '-o', 'loop,commit=300', image, path)
  mount()
  return {
    path,
    /** Stops the file system immediately, dropping its journal and unsynced data. */
    cutPower: () => run('perl', '-e', shutdownFileSystem, path),
    remount: () => {
      run('umount', path)
      mount()
    },
    remove: () => {
      run('umount', path)
      for (const file of [path, image, `${path}.log`]) rmSync(file, { recursive: true, force: true })
    },
  }
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}
