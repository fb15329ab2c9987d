/** When the task takes over work that a process has just stored: longer than it takes that process to do it. */
export const takeoverMs = 15_000

/** How long a webhook may be late before the task reads the payment at its provider. */
export const pollMs = 10 * 60_000
