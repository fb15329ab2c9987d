import type { Payment } from '../domain/payment.ts'

/** When the task acts on a payment that has changed, in case this process is killed before it does. */
export function nextAction({ status }: Pick<Payment, 'status'>, now: Date): Date | null {
  return status === 'succeeded' || status === 'processing' ? new Date(now.getTime() + takeoverMs) : null
}

/**
 * When the task takes over work that a process has just stored: longer than it usually takes that process to do it. Doing the work
 * twice has one effect, so this is short: a shopper waits for it if the process was killed.
 */
export const takeoverMs = 5000

/** How long a webhook may be late before the task reads the payment at its provider. */
export const pollMs = 10 * 60_000
