import { ManagementApi } from './generated/management.ts'
import { version } from './generated/version.ts'
import type { ClientOptions, RawRequest, WriteOptions } from './runtime/options.ts'
import type { ResponsePromise } from './runtime/response-promise.ts'
import { checkStoreId, checkToken, createTransport, type Transport } from './runtime/transport.ts'

/**
 * Client of the management API, for servers.
 *
 * @example
 * const storekeep = new Storekeep({ baseUrl: 'https://api.example.com', storeId, apiKey })
 * for await (const { name } of storekeep.customers.list()) console.log(name)
 */
export class Storekeep extends ManagementApi {
  readonly #transport: Transport

  constructor(options: StorekeepOptions) {
    if ('document' in globalThis && 'window' in globalThis) {
      throw new TypeError('An API key must not reach a browser. Use Storefront from @storekeep/sdk/storefront there.')
    }
    const storeId = checkStoreId(options.storeId)
    const headers = {
      authorization: `APIKey ${checkToken('apiKey', options.apiKey)}`,
      'user-agent': `storekeep-sdk/${version}`,
    }
    const transport = createTransport(options, `/v1/stores/${storeId}`, headers)
    super(transport)
    this.#transport = transport
  }

  /**
   * Sends a request that has no method yet, with the same credential, retries and errors as all others.
   *
   * @example
   * const customer = await storekeep.request<Customer>({ method: 'GET', path: '/customers/411486491630370816' })
   */
  request<T>(request: RawRequest, options?: WriteOptions): ResponsePromise<T> {
    return this.#transport.sendRaw<T>(request, options)
  }
}

export interface StorekeepOptions extends ClientOptions {
  /** An API key of the store, without the scheme. */
  apiKey: string
}
