import type { RecordPosition } from '@storekeep/proto/common/v1/export_service'
import { searchedRecords } from '@storekeep/proto/conventions/searched-records'
import { AdminError, type Command, type Services } from '../command.ts'
import type { AnswerRecord } from '../output.ts'

export const verifySearch: Command = {
  name: 'verify-search',
  summary: 'Compares the search index with its owners, and changes nothing.',
  flags: [],
  examples: ['', '--json'],
  async run(_values, services, report) {
    const records: AnswerRecord[] = []
    let different = 0
    for (const kind of searchedRecords) {
      const found = await verify(services, kind)
      report(`${kind}: ${found.compared} compared, ${found.different} different`)
      different += found.different
      records.push({ records: kind, ...found, verdict: found.different === 0 ? 'equal' : 'DIFFERENT' })
    }
    if (different === 0) return { records, list: true }
    throw new AdminError(`${different} documents differ from their owners. rebuild-search makes the index anew.`)
  },
}

/** Part by part, each of which waits some seconds for changes that are on their way. */
async function verify({ search, call }: Services, aggregate: string): Promise<{ compared: number; different: number }> {
  const total = { compared: 0, different: 0 }
  let after: Pick<RecordPosition, 'storeId' | 'id'> | undefined
  do {
    const part = await search.verifyRecords(
      { aggregate, ...(after && { after }) },
      { ...call(), deadlineMs, isHeavy: true },
    )
    total.compared += Number(part.checked)
    total.different += Number(part.drifted)
    after = part.last
  } while (after)
  return total
}

const deadlineMs = 30_000
