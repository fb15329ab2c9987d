import type { RecordPosition } from '@storekeep/proto/common/v1/export_service'
import { searchedRecords } from '@storekeep/proto/conventions/searched-records'
import { AdminError, type Command, type Services } from '../command.ts'
import type { ResultRecord } from '../output.ts'

export const verifySearch: Command = {
  name: 'verify-search',
  summary: 'Compares the search index with the services that own the records, without changing anything.',
  options: [],
  examples: ['', '--json'],
  async run(_values, services, { report }) {
    const records: ResultRecord[] = []
    let different = 0
    for (const kind of searchedRecords) {
      const found = await verify(services, kind)
      report(`${kind}: ${found.compared} compared, ${found.different} different`)
      different += found.different
      records.push({ records: kind, ...found, verdict: found.different === 0 ? 'equal' : 'DIFFERENT' })
    }
    if (different === 0) return { records, list: true }
    throw new AdminError(
      `${different} documents differ from their owners' records. Run rebuild-search to rebuild the index.`,
    )
  },
}

/** Verifies page by page; the search service waits a few seconds per page for changes that it has not indexed yet. */
async function verify({ search, call }: Services, aggregate: string): Promise<{ compared: number; different: number }> {
  const total = { compared: 0, different: 0 }
  let after: Pick<RecordPosition, 'storeId' | 'id'> | undefined
  do {
    const page = await search.verifyRecords(
      { aggregate, ...(after && { after }) },
      { ...call(), deadlineMs, isHeavy: true },
    )
    total.compared += Number(page.checked)
    total.different += Number(page.drifted)
    after = page.last
  } while (after)
  return total
}

const deadlineMs = 30_000
