import { ManagementApi } from './generated/management.ts'
import { version } from './generated/version.ts'
import type { ClientOptions } from './runtime/options.ts'
import { checkStoreId, checkToken, createTransport } from './runtime/transport.ts'

/**
 * Client of the management API, for servers.
 *
 * @example
 * const storekeep = new Storekeep({ baseUrl: 'https://api.example.com', storeId, apiKey })
 * for await (const { name } of storekeep.customers.list()) console.log(name)
 */
export class Storekeep extends ManagementApi {
  constructor(options: StorekeepOptions) {
    if ('document' in globalThis && 'window' in globalThis) {
      throw new TypeError('An API key must not reach a browser. Use Storefront from @storekeep/sdk/storefront there.')
    }
    const storeId = checkStoreId(options.storeId)
    const headers = {
      authorization: `APIKey ${checkToken('apiKey', options.apiKey)}`,
      'user-agent': `storekeep-sdk/${version}`,
    }
    super(createTransport(options, `/v1/stores/${storeId}`, headers))
  }
}

export interface StorekeepOptions extends ClientOptions {
  /** An API key of the store, without the scheme. */
  apiKey: string
}
