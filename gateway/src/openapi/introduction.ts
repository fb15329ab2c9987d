import {
  affiliateLinkLimits,
  apiKeyLimits,
  customerLimits,
  customVariableLimits,
  pageLimits,
} from '@storekeep/proto/conventions/limits'
import { jsonLimits } from '../http/scan-json.ts'

/** The introduction of the OpenAPI document, in Markdown. */
export const introduction = `
Manage a store's customers, bans, products, coupons, checkouts, payments, orders and subscriptions. A small storefront API
serves browsers.

## Authentication
Management endpoints (\`/v1/stores/{storeId}/…\`) require \`Authorization: APIKey <key>\`. A key belongs to one store and has
scopes such as \`customers:write\`; each operation names the scope that it needs (\`x-scope\`). Use keys on your server only.

Storefront endpoints (\`/v1/store…\`) require the header \`x-service-store-id\` and accept calls from any browser. A signed-in
customer sends \`Authorization: Customer <token>\`. An empty \`Authorization\` header counts as none.

## Errors
Every non-2xx response is a \`ServiceError\`. Its \`code\` is stable; the \`message\` is for people and may change. A
\`validation-failed\` error names every invalid field in \`errors\`. Include the \`trace_id\` when you report a problem. After a
503 or a network failure, retry with the same \`Idempotency-Key\`.

## Idempotency
Send an \`Idempotency-Key\` with every POST and PATCH that you may retry. For 24 hours, the same key with the same body returns
the first response again, without repeating the effect. The same key with another body fails with
\`idempotency-mismatch\`; while the first request is still running it fails with \`conflict\`.

## Paging
Paged lists return a JSON array of up to \`limit\` items (default ${pageLimits.default}, maximum ${pageLimits.max}), newest first
unless \`asc=true\`. Continue with \`after=<id of the last item>\`, or follow the \`Link\` header (\`rel="next"\`, \`rel="prev"\`).

## Limits
By default an API key can send 12,000 requests per minute. Direct sign-in is limited to 30 per minute and address, 10 per minute
and name, and 600 per minute and store. An address can send 3,000 rejected API keys, as many rejected customer tokens, and 600 ids
of unknown stores per minute. The headers \`RateLimit\` and \`RateLimit-Policy\` report the state of a limit; a 429
response has a \`Retry-After\` header. An operator can change these limits.

A store can have ${apiKeyLimits.livePerStore} live API keys, ${format(customVariableLimits.perStore)} custom variables with
${format(customVariableLimits.optionsPerStore)} options in total, and ${format(affiliateLinkLimits.perStore)} affiliate links; beyond
that, creating one fails with \`conflict\`. A bulk request can create ${customerLimits.perBulkRequest} customers. A request body can
have 256 KiB, a bulk request 1 MiB, a direct sign-in 16 KiB; a number in it ${jsonLimits.numberLength} characters, an
object ${format(jsonLimits.keys)} keys, and its nesting ${jsonLimits.depth} levels.

## Data types
- **Ids** are positive 64-bit integers as decimal strings. They sort by creation time. Never parse them as numbers.
- **External ids** come from your own system; no endpoint issues them: \`tags\`, \`selected_gameserver_id\`, \`payout_id\`
  and \`wallet_id\`. Storekeep stores and returns them, and compares only \`tags\` (with those of a coupon).
- **Money** is an integer in the smallest unit of the store's currency; currencies are lower-case ISO 4217 codes.
- **Percentages** are integers in permille (125 is 12.5 %), in payout splits in basis points (1250 is 12.5 %).
- **Dates** are returned as RFC 3339 in UTC with milliseconds. In a request, any offset is accepted; without one, the date
  is in UTC. Durations are ISO 8601, such as \`PT1H\`.
- **Request bodies** are JSON: \`application/json\`, \`text/json\` or \`application/*+json\`.
- **Absent values** are returned as null. Unknown fields in a request body are ignored; unknown query parameters are refused.
`.trim()

function format(number: number): string {
  return number.toLocaleString('en')
}
