import { isFault } from '@storekeep/common/errors'

/**
 * Waits for a decision about a test payment. If the payment was decided in the meantime, such as by a double click, the page shows
 * the result.
 * @returns whether the store does not accept test payments
 */
export async function isTestRejected(decision: Promise<unknown>): Promise<boolean> {
  try {
    await decision
    return false
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error
    return error.violations.some(({ path }) => path === 'provider')
  }
}
