import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceName, services } from '@storekeep/local/services'
import { seededRandom } from '@storekeep/test/kit'
import {
  type Cluster,
  countEffects,
  judge,
  type OpenLoop,
  type Outcome,
  openStoreTraffic,
  startCluster,
  startOpenLoop,
  unlimited,
  type Version,
  wrongResponse,
} from '@storekeep/test/kit/cluster'
import { controls, extractVersion, migrateAll, searchedRecordsOf } from './other-version.ts'
import { print } from './print.ts'
import { problemInEvents, problemsAfterEvents } from './upgrade-checks.ts'
import { createRecordCycle, readsOfUnchangedStore } from './version-requests.ts'

/**
 * Upgrades a running system from PREVIOUS, a git ref, to the sources in this folder, and rolls it back, under traffic: runs
 * the new migrations while the previous processes serve, then replaces the processes of one kind after another, with the
 * gateway in the middle. Both directions have the same order, so every pair of processes runs with either one newer: callers
 * and services, publishers and consumers of events. Fails for every failed request, wrong response, lost or duplicate write.
 */
const previousRef = process.env.PREVIOUS
const perSecond = Number(process.env.PER_SECOND ?? 10)
const perStep = Number(process.env.REQUESTS_PER_STEP ?? 100)
const replicas = Number(process.env.REPLICAS ?? 1)
/** The share of requests that may get 503, for a busy machine. */
const tolerated = Number(process.env.TOLERATED_503 ?? 0)
const control = process.env.CONTROL
/** A step with more failed requests ends the run. */
const brokenFrom = 10

if (!previousRef) throw new Error('Set PREVIOUS to the tag or commit of the previous release.')
if (control !== undefined && !controls[control])
  throw new Error(`CONTROL must be one of ${Object.keys(controls).join(', ')}.`)

const folder = mkdtempSync(join(tmpdir(), 'storekeep-upgrade-'))
const problems: string[] = []
try {
  const previous: Version = { root: join(folder, 'previous') }
  const next: Version = { settings: { MIGRATE: 'false', ...settingsOf(process.env.NEXT_SETTINGS) } }
  print(`extract and install ${previousRef}`)
  await extractVersion(previousRef, join(folder, 'previous'))
  if (control !== undefined) {
    print(`negative control: the next version is ${previousRef} with the incompatible change "${control}"`)
    next.root = join(folder, 'next')
    await extractVersion(previousRef, next.root, controls[control])
  }
  await upgradeAndRollBack(previous, next)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) print(`  ! ${problem.slice(0, 400)}`)
print(problems.length === 0 ? 'compatible' : `NOT compatible: ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

async function upgradeAndRollBack(previous: Version, next: Version): Promise<void> {
  const versions = new Map<string, Version>()
  // Processes that the previous release does not have run in this version throughout.
  const isAdded = (name: string) =>
    !existsSync(join(previous.root ?? '', name === 'gateway' ? name : `services/${name}`))
  const versionOf = (name: string) => versions.get(name) ?? (isAdded(name) ? {} : previous)
  const cluster = await startCluster({ replicas, settings: { gateway: unlimited }, versionOf })
  // From here on only the migrations job migrates, as in the chart.
  previous.settings = { MIGRATE: 'false' }
  try {
    const kinds = [...(await openStoreTraffic(cluster)), ...(await readsOfUnchangedStore(cluster))]
    const cycleRecords = await createRecordCycle(cluster)
    const load = startOpenLoop({ url: cluster.balancer.url, perSecond, kinds, random: seededRandom() })
    const searched = () => searchedRecordsOf(versionOf('search').root)
    const step = (name: string, act: () => Promise<void>) =>
      runStep({ name, cluster, load, act, cycleRecords, searched })
    try {
      await step('previous version', async () => undefined)
      await step('migrations', () => migrateAll(cluster, next.root))
      for (const [direction, version] of [
        ['upgrade', next],
        ['rollback', previous],
      ] as const) {
        for (const set of inReplacementOrder(cluster).filter(({ name }) => !isAdded(name))) {
          await step(`${direction}: ${set.name}`, async () => {
            versions.set(set.name, version)
            await set.replaceEach()
          })
        }
        load.enter(`after the ${direction}`)
        for (const problem of await problemsAfterEvents(cluster, [...load.outcomes], await searched()))
          problems.push(`after the ${direction}: ${problem}`)
      }
    } catch (error) {
      problems.push(String(error))
    }
    await load.stop()
    await reportVerdict(cluster, load.outcomes)
  } finally {
    await cluster.stop()
  }
}

async function runStep({ name, cluster, load, act, cycleRecords, searched }: Step): Promise<void> {
  load.enter(name)
  const from = load.outcomes.length
  await act()
  const failuresOf = () => load.outcomes.slice(from).flatMap(({ failures }) => failures.slice(0, 1))
  // While most requests fail, every change would be retried for a minute.
  const changes =
    failuresOf().length > brokenFrom ? { sent: 0, failed: [], created: [], deleted: [] } : await cycleRecords()
  problems.push(...changes.failed.map((failed) => `${name}: ${failed}`))
  await load.more(perStep)
  const unapplied = await problemInEvents(cluster, changes, await searched())
  if (unapplied) problems.push(`${name}: ${unapplied}`)
  const failures = failuresOf()
  const wrong = failures.filter((failure) => failure.startsWith(wrongResponse)).length
  print(
    `${name.padEnd(28)} ${load.outcomes.length - from + changes.sent} sent, ${failures.length - wrong + changes.failed.length} failed, ${wrong} wrong${unapplied ? ', events NOT applied' : ''}`,
  )
  if (failures.length > brokenFrom || unapplied)
    throw new Error(`${name} breaks the system; the following steps are skipped.`)
}

interface Step {
  name: string
  cluster: Cluster
  load: OpenLoop
  act: () => Promise<void>
  cycleRecords: Awaited<ReturnType<typeof createRecordCycle>>
  /** The record types that the running version of search knows. */
  searched: () => Promise<readonly string[]>
}

/** The services with the gateway in the middle. */
function inReplacementOrder({ services: sets, gateways }: Cluster) {
  const names: ServiceName[] = services.map(({ name }) => name)
  const half = Math.ceil(names.length / 2)
  return [...names.slice(0, half).map((name) => sets[name]), gateways, ...names.slice(half).map((name) => sets[name])]
}

async function reportVerdict(cluster: Cluster, outcomes: readonly Outcome[]): Promise<void> {
  const verdict = judge(outcomes, await countEffects(cluster))
  const failed = outcomes.filter(({ failures }) => failures.length > 0)
  const unavailable = failed.filter(
    ({ kind, failures, attempts }) =>
      failures.every((failure) => failure.startsWith('503 ')) && (!kind.isKeyed || attempts > failures.length),
  )
  print(
    `${verdict.requests} requests, ${verdict.writes} of them writes; ${failed.length} failed, ${unavailable.length} of them only with 503; ` +
      `${verdict.lost.length} writes lost, ${verdict.twice.length} executed twice`,
  )
  const isTolerated = unavailable.length <= tolerated * outcomes.length
  const counted = failed.filter((outcome) => !isTolerated || !unavailable.includes(outcome))
  for (const { phase, kind, failures } of counted) problems.push(`${phase}: ${kind.name}: ${failures[0]}`)
  problems.push(...verdict.lost.map((line) => `lost: ${line}`), ...verdict.twice.map((line) => `twice: ${line}`))
}

/** "A=1,B=2" */
function settingsOf(text = ''): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((pair) => pair.split('=', 2)),
  )
}
