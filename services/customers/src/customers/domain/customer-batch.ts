import { errors, type Violation, violation } from '@storekeep/common/errors'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import { type CustomerDraft, type CustomerInput, customerViolations, toDraft } from './customer-draft.ts'

/**
 * Validates a bulk create. @returns the drafts in request order
 * @throws ServiceFault `validation-failed` naming every invalid field of every item
 */
export function checkBatch(inputs: readonly CustomerInput[]): CustomerDraft[] {
  if (inputs.length > customerLimits.perBulkRequest) {
    throw errors.validationFailed([
      violation('', 'max', `must hold at most ${customerLimits.perBulkRequest} customers`),
    ])
  }
  const violations = inputs.flatMap((input, index) => customerViolations(input, String(index)))
  if (violations.length > 0) throw errors.validationFailed(violations)
  return inputs.map(toDraft)
}

/** The account ids, each unique per store. */
export const uniqueIds = [
  { field: 'steamId', path: 'steam_id' },
  { field: 'minecraftUuid', path: 'minecraft_uuid' },
  { field: 'xboxXuid', path: 'xbox_xuid' },
] as const

export type UniqueIds = Pick<CustomerDraft, (typeof uniqueIds)[number]['field']>

/** The ids of a customer of the store. */
export interface IdOwner extends UniqueIds {
  id: string
}

/**
 * Returns a violation for every id that an earlier item or a customer of the store already has, naming that customer.
 * @param existing the store's customers that share any id with the batch
 */
export function takenIdViolations(drafts: readonly UniqueIds[], existing: readonly IdOwner[]): Violation[] {
  const taken: Violation[] = []
  for (const { field, path } of uniqueIds) {
    const inStore = new Map(existing.map((one) => [one[field], one.id]))
    const inBatch = new Map<string, number>()
    drafts.forEach((draft, index) => {
      const id = draft[field]
      if (id === null) return
      const earlier = inBatch.get(id)
      const owner = inStore.get(id)
      if (owner !== undefined) taken.push(takenByCustomer(`${index}.${path}`, owner))
      else if (earlier !== undefined) taken.push(violation(`${index}.${path}`, 'unique', `duplicates item ${earlier}`))
      else inBatch.set(id, index)
    })
  }
  return taken.sort((a, b) => Number.parseInt(a.path, 10) - Number.parseInt(b.path, 10))
}

/** Like `takenIdViolations`, for one customer. */
export function takenIdsOf(ids: Partial<UniqueIds>, existing: readonly IdOwner[]): Violation[] {
  return uniqueIds.flatMap(({ field, path }) => {
    const owner = existing.find((one) => ids[field] != null && one[field] === ids[field])
    return owner ? [takenByCustomer(path, owner.id)] : []
  })
}

/** Both customers belong to the store, so naming the other one reveals nothing, and shows which customer to merge or unlink. */
function takenByCustomer(path: string, customerId: string): Violation {
  return violation(path, 'unique', `belongs to customer ${customerId} of this store`)
}
