import { errors, type Violation, violation } from '@storekeep/common/errors'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import { type CustomerDraft, type CustomerInput, customerViolations, toDraft } from './customer-draft.ts'

/**
 * The drafts of a bulk create, in the order of the request.
 * @throws ServiceFault `validation-failed` naming every wrong member of every item
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

/** The ids that must be unique in a store. */
export const uniqueIds = [
  { member: 'steamId', path: 'steam_id' },
  { member: 'minecraftUuid', path: 'minecraft_uuid' },
  { member: 'xboxXuid', path: 'xbox_xuid' },
] as const

export type UniqueIds = Pick<CustomerDraft, (typeof uniqueIds)[number]['member']>

/**
 * Every id in the batch that is taken: by an earlier item, or by a customer of the store.
 * @param existing the ids of the store's customers that share any with the batch
 */
export function takenInBatch(drafts: readonly UniqueIds[], existing: readonly UniqueIds[]): Violation[] {
  const taken: Violation[] = []
  for (const { member, path } of uniqueIds) {
    const inStore = new Set(existing.map((one) => one[member]))
    const inBatch = new Map<string, number>()
    drafts.forEach((draft, index) => {
      const id = draft[member]
      if (id === null) return
      const earlier = inBatch.get(id)
      if (inStore.has(id)) taken.push(idTaken(`${index}.${path}`))
      else if (earlier !== undefined) taken.push(idTaken(`${index}.${path}`, `is the same as in item ${earlier}`))
      else inBatch.set(id, index)
    })
  }
  return taken.sort((a, b) => Number.parseInt(a.path, 10) - Number.parseInt(b.path, 10))
}

export function idTaken(path: string, message = 'belongs to another customer of the store'): Violation {
  return violation(path, 'unique', message)
}
