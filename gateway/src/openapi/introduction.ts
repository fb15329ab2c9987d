/** The description of the OpenAPI document, in Markdown. Generators copy it into every file, so the guides are at /docs. */
export const introduction = `
Manage a store's customers, bans, products, coupons, checkouts, payments, orders and subscriptions. A small storefront API
serves browsers. The guides are at \`/docs\`: authentication, sign-in, retries, paging, errors, rate limits and webhooks.

Management operations (\`/v1/stores/{storeId}/…\`) require \`Authorization: APIKey <key>\`. Storefront operations (\`/v1/store…\`)
require the header \`x-service-store-id\` and, on behalf of a customer, \`Authorization: Customer <token>\`. Every response that is
not 2xx is a \`ServiceError\`. Ids are 64-bit integers as decimal strings.
`.trim()
