import { addressGroup } from '@storekeep/common/http'
import { enforceLimit } from './limits.ts'
import type { Handler } from './route.ts'

/**
 * Counts a violation of the content security policy. Logs only its directive: the rest of a report is untrusted
 * and can contain the address of the page with its token.
 */
export const receiveCspReport: Handler = async (ctx, request) => {
  enforceLimit(ctx, 'address', addressGroup(request.address), ctx.config.limits.addressPerMinute)
  const report = (await request.bytes(maxReportBytes)).toString('utf8')
  const directive = /"(?:effective-directive|effectiveDirective)"\s*:\s*"([a-z-]{1,40})"/.exec(report)?.[1] ?? 'unknown'
  ctx.metrics.cspReports.inc()
  ctx.log.warn({ directive }, 'content security policy violated')
  return { status: 204 }
}

const maxReportBytes = 16 * 1024
