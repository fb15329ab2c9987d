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

/**
 * Returns a violation for every id that an earlier item or a customer of the store already has.
 * @param existing ids of the store's customers that share any id with the batch
 */
export function takenIdViolations(drafts: readonly UniqueIds[], existing: readonly UniqueIds[]): Violation[] {
  const taken: Violation[] = []
  for (const { field, path } of uniqueIds) {
    const inStore = new Set(existing.map((one) => one[field]))
    const inBatch = new Map<string, number>()
    drafts.forEach((draft, index) => {
      const id = draft[field]
      if (id === null) return
      const earlier = inBatch.get(id)
      if (inStore.has(id)) taken.push(idTakenViolation(`${index}.${path}`))
      else if (earlier !== undefined) taken.push(idTakenViolation(`${index}.${path}`, `duplicates item ${earlier}`))
      else inBatch.set(id, index)
    })
  }
  return taken.sort((a, b) => Number.parseInt(a.path, 10) - Number.parseInt(b.path, 10))
}

export function idTakenViolation(path: string, message = 'belongs to another customer of this store'): Violation {
  return violation(path, 'unique', message)
}
