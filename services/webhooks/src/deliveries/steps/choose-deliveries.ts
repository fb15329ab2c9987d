import type { Call } from '@storekeep/common/grpc'
import type { Database } from '@storekeep/common/postgres'
import { type ResendPage, selectResendPage } from '../db/resend-repository.ts'
import type { EndpointRef } from '../db/schema.ts'
import type { ResendRange } from '../domain/resend-range.ts'

/**
 * Chooses the deliveries of a range that a call sends again: reads in pages, each in a short transaction, until it has chosen
 * enough or read as much as one call may. The result says where to continue.
 */
export async function chooseDeliveries(
  { database }: { database: Pick<Database, 'transaction'> },
  call: Pick<Call, 'remainingMs' | 'signal'>,
  endpoint: EndpointRef,
  range: ResendRange,
  { pageSize, maxPages } = limits,
): Promise<ResendPage> {
  const chosen: ResendPage['chosen'] = []
  let { after } = range
  for (let pages = 0; pages < maxPages && (pages === 0 || call.remainingMs() > reservedMs); pages += 1) {
    const readFrom = { ...range, after }
    const page = await database.transaction((tx) => selectResendPage(tx, endpoint, readFrom, pageSize), call)
    chosen.push(...page.chosen)
    const last = chosen[maxResent - 1]
    const isCut = chosen.length > maxResent || page.continueAfter !== null
    if (last && isCut) return { chosen: chosen.slice(0, maxResent), continueAfter: last.id }
    if (page.continueAfter === null) return { chosen, continueAfter: null }
    after = page.continueAfter
  }
  return { chosen, continueAfter: after ?? null }
}

/** Keeps the transaction that schedules them short: it blocks new deliveries to the endpoint. */
const maxResent = 500
/** Deliveries per page: far from the time limit of a statement. */
const limits = { pageSize: 5000, maxPages: 20 }
/** Time for the transaction that schedules. */
const reservedMs = 1500
