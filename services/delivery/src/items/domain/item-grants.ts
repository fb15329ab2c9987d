import { errors, type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { customVariableLimits, deliveryLimits } from '@storekeep/proto/conventions/limits'

/** Units of a product that the staff hands out without an order. */
export interface ItemGrant {
  /** What its fields' paths in the request start with: `0.`, or empty if the request is one grant. */
  path: string
  customerId: string
  /** Exactly one of the two. The version of a product is its latest one. */
  productId: string | undefined
  productVersionId: string | undefined
  gameServerId: string | undefined
  quantity: number
  overrideExpiresAt: Date | undefined
  skipCommands: boolean
  customVariables: Readonly<Record<string, string>>
}

/**
 * Validates grants, apart from their references.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkGrants(grants: readonly ItemGrant[], now: Date): void {
  const { length } = grants
  if (length < 1 || length > deliveryLimits.grants) {
    throw errors.validationFailed([violation('', 'length', `must have 1 to ${deliveryLimits.grants} items`)])
  }
  const violations = grants.flatMap((grant) => grantViolations(grant, now))
  const units = grants.reduce((sum, { quantity }) => sum + quantity, 0)
  if (violations.length === 0 && units > deliveryLimits.items) {
    violations.push(violation('', 'max', `must have quantities of at most ${deliveryLimits.items} together`))
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
}

function grantViolations(grant: ItemGrant, now: Date): Violation[] {
  const { path: at, customerId, productId, productVersionId, gameServerId, quantity, overrideExpiresAt } = grant
  const hasProduct = [productId, productVersionId].some((id) => id !== undefined)
  return [
    ...(customerId === '' ? [violation(`${at}customer_id`, 'required', 'is required')] : []),
    ...idViolations(`${at}customer_id`, customerId || undefined),
    ...(hasProduct ? [] : [violation(`${at}product_id`, 'required', 'is required without product_version_id')]),
    ...(productId !== undefined && productVersionId !== undefined
      ? [violation(`${at}product_version_id`, 'exclusive', 'cannot be given with product_id')]
      : []),
    ...idViolations(`${at}product_id`, productId),
    ...idViolations(`${at}product_version_id`, productVersionId),
    ...idViolations(`${at}execute_on_gameserver_id`, gameServerId),
    ...quantityViolations(`${at}quantity`, quantity),
    ...(overrideExpiresAt && overrideExpiresAt <= now
      ? [violation(`${at}override_expires_at`, 'min', 'must be in the future')]
      : []),
    ...answerViolations(`${at}custom_variables`, grant.customVariables),
  ]
}

function quantityViolations(path: string, quantity: number): Violation[] {
  if (quantity < 1) return [violation(path, 'min', 'must be at least 1')]
  return quantity > deliveryLimits.quantity
    ? [violation(path, 'max', `must be at most ${deliveryLimits.quantity}`)]
    : []
}

function answerViolations(path: string, answers: Readonly<Record<string, string>>): Violation[] {
  const entries = Object.entries(answers)
  if (entries.length > answersPerItem) return [violation(path, 'length', `must have at most ${answersPerItem} entries`)]
  return entries.flatMap(([identifier, answer]) =>
    /^[A-Za-z0-9_-]{1,64}$/.test(identifier)
      ? textViolations(`${path}.${identifier}`, answer, 0, customVariableLimits.answerLength)
      : [violation(path, 'pattern', 'must have identifiers of custom variables as names')],
  )
}

const answersPerItem = 50
