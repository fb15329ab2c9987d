/** Paths that load balancers and Prometheus request every few seconds. They are not traced, and logged at debug level. */
export const probeRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])
