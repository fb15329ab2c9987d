import { setTimeout as pause } from 'node:timers/promises'
import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Rebuild, RebuildState } from '@storekeep/proto/search/v1/search_service'
import { AdminError, type Command, type Services } from '../command.ts'

export const rebuildSearch: Command = {
  name: 'rebuild-search',
  summary: 'Builds the search index anew from its owners, while searches go on, and compares both.',
  flags: [],
  examples: ['', '--json'],
  async run(_values, services, report) {
    const { search, call } = services
    const { rebuild } = await search.startRebuild({}, call())
    if (!rebuild) throw new Error('StartRebuild answered no rebuild')
    const ended = await follow(services, rebuild, report)
    const records = ended.parts.map(({ aggregate, filled, checked, drifted }) => ({
      records: aggregate,
      read: Number(filled),
      compared: Number(checked),
      different: Number(drifted),
      verdict: ended.state !== RebuildState.FAILED && drifted === 0n ? 'equal' : 'DIFFERENT',
    }))
    if (ended.state === RebuildState.FAILED) {
      throw new AdminError(`The rebuild failed, and searches use the old index. ${ended.problem ?? ''}`.trim())
    }
    return { records, list: true, note: speedOf(ended) }
  },
}

const everyMs = 500

async function follow({ search, call }: Services, begun: Rebuild, report: (line: string) => void): Promise<Rebuild> {
  let told = ''
  for (let now = begun; ; await pause(everyMs)) {
    const line = progressOf(now)
    if (line !== told) report(line)
    told = line
    if (now.state !== RebuildState.RUNNING) return now
    now = (await search.getRebuild({ rebuildId: begun.id }, call())).rebuild ?? now
  }
}

function progressOf({ state, parts, filledAt, problem }: Rebuild): string {
  if (state === RebuildState.FAILED) return 'failed'
  if (state !== RebuildState.RUNNING) return 'in use'
  const read = `${countRead(parts)} records read`
  if (problem !== undefined) return `${read}; waiting: ${problem}`
  return filledAt ? `${read}; indexing and comparing them` : read
}

function speedOf({ parts, startedAt, filledAt, finishedAt }: Rebuild): string {
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
