/**
 * Asked every few seconds by balancers and Prometheus: their lines would be all that a quiet log holds, and their traces
 * all that a quiet collector gets.
 */
export const quietRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])
