import { readFile } from 'node:fs/promises'
import type { ErrorCode } from '@storekeep/common/errors'
import { httpStatuses } from '@storekeep/common/http'
import {
  affiliateLinkLimits,
  apiKeyLimits,
  customerLimits,
  customVariableLimits,
  pageLimits,
  tagLimits,
} from '@storekeep/proto/conventions/limits'
import type { GatewayConfig } from '../config.ts'
import { jsonLimits } from '../http/scan-json.ts'

/** The files of `guides/`, in the order of the page. */
const names = [
  'getting-started',
  'authentication',
  'sign-in',
  'idempotency',
  'paging',
  'errors',
  'rate-limits',
  'delivery',
  'webhooks',
  'data-types',
  'versioning',
]

/**
 * Reads the guides as one Markdown text. `{{name}}` in a file becomes a value of the code, such as `{{pageLimits.max}}`.
 *
 * @param limits this gateway's limits, which operators can change
 */
export async function readGuides(limits: GatewayConfig['limits']): Promise<string> {
  const files = names.map((name) => readFile(new URL(`./guides/${name}.md`, import.meta.url), 'utf8'))
  return fillIn((await Promise.all(files)).join('\n'), {
    affiliateLinkLimits,
    apiKeyLimits,
    customerLimits,
    customVariableLimits,
    errorTable: errorTable(),
    jsonLimits,
    limits,
    pageLimits,
    tagLimits,
  })
}

function fillIn(text: string, values: Values): string {
  return text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, path: string) => {
    const value = path.split('.').reduce<unknown>((parent, name) => (parent as Values | undefined)?.[name], values)
    if (typeof value === 'number') return value.toLocaleString('en')
    if (typeof value === 'string') return value
    throw new Error(`The guides name an unknown value: ${path}`)
  })
}

interface Values {
  readonly [name: string]: unknown
}

function errorTable(): string {
  const rows = Object.entries(meanings).map(
    ([code, meaning]) => `| \`${code}\` | ${httpStatuses[code as ErrorCode]} | ${meaning} |`,
  )
  return ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n')
}

const meanings: Record<ErrorCode, string> = {
  'bad-request': 'The request cannot be read: for example, its body is not JSON.',
  'validation-failed': 'Fields are invalid. `errors` names each of them.',
  unauthorized: 'The credential is missing, malformed, unknown, expired or revoked.',
  forbidden: 'The credential is valid, but belongs to another store or lacks the scope.',
  'customer-banned': 'A ban of the store matches the customer or the recipient of a gift.',
  'platform-not-allowed': 'Customers of this platform or store sign in through your server.',
  'not-found': 'The record does not exist in this store, or no operation has this path.',
  'method-not-allowed': 'The path exists, but not with this method. `Allow` lists the methods.',
  conflict: 'Another record or a concurrent request prevents the change. For example, a code is taken.',
  'payload-too-large': 'The body is too large.',
  'unsupported-media-type': 'The `Content-Type` of the body is not JSON.',
  'idempotency-mismatch': 'The `Idempotency-Key` was used before with another body.',
  'too-many-requests': 'A rate limit is exceeded. Retry after `Retry-After` seconds.',
  'internal-error': 'Internal error. Include the `trace_id` when you report it.',
  'service-unavailable': 'Storekeep cannot process the request now. Retry after `Retry-After` seconds.',
}
