import { setTimeout as sleep } from 'node:timers/promises'
import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Rebuild, RebuildState } from '@storekeep/proto/search/v1/search_service'
import { AdminError, type Command, type Services } from '../command.ts'

export const rebuildSearch: Command = {
  name: 'rebuild-search',
  summary: 'Rebuilds the search index from its source services while searches continue, then compares the two.',
  options: [],
  examples: ['', '--json'],
  async run(_values, services, { report }) {
    const { search, call } = services
    const { rebuild } = await search.startRebuild({}, call())
    if (!rebuild) throw new Error('StartRebuild returned no rebuild')
    const finished = await waitForEnd(services, rebuild, report)
    const records = finished.parts.map(({ aggregate, filled, checked, drifted }) => ({
      records: aggregate,
      read: Number(filled),
      compared: Number(checked),
      different: Number(drifted),
      verdict: finished.state !== RebuildState.FAILED && drifted === 0n ? 'equal' : 'DIFFERENT',
    }))
    if (finished.state === RebuildState.FAILED) {
      throw new AdminError(`The rebuild failed; searches still use the old index. ${finished.problem ?? ''}`.trim())
    }
    return { records, list: true, note: throughput(finished) }
  },
}

const pollIntervalMs = 500

async function waitForEnd(
  { search, call }: Services,
  started: Rebuild,
  report: (line: string) => void,
): Promise<Rebuild> {
  let reported = ''
  for (let current = started; ; await sleep(pollIntervalMs)) {
    const line = progressOf(current)
    if (line !== reported) report(line)
    reported = line
    if (current.state !== RebuildState.RUNNING) return current
    current = (await search.getRebuild({ rebuildId: started.id }, call())).rebuild ?? current
  }
}

function progressOf({ state, parts, filledAt, problem }: Rebuild): string {
  if (state === RebuildState.FAILED) return 'failed'
  if (state !== RebuildState.RUNNING) return 'in use'
  const read = `${countRead(parts)} records read`
  if (problem !== undefined) return `${read}; waiting: ${problem}`
  return filledAt ? `${read}; indexing and comparing them` : read
}

function throughput({ parts, startedAt, filledAt, finishedAt }: Rebuild): string {
  const count = countRead(parts)
  const rate = (end: Timestamp | undefined) => {
    const seconds = Math.max(0.001, (milliseconds(end) - milliseconds(startedAt)) / 1000)
    return `${seconds.toFixed(1)} s (${Math.round(count / seconds)} per second)`
  }
  return `${count} records were read in ${rate(filledAt)} and searchable after ${rate(finishedAt)}.`
}

function countRead(parts: Rebuild['parts']): number {
  return parts.reduce((sum, { filled }) => sum + Number(filled), 0)
}

function milliseconds(time: Timestamp | undefined): number {
  return time ? timestampMs(time) : 0
}
