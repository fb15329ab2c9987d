import { StorefrontApi } from './generated/storefront.ts'
import type { ClientOptions } from './runtime/options.ts'
import { checkStoreId, checkToken, createTransport } from './runtime/transport.ts'

export * from './errors.ts'
export type * from './generated/types.ts'
export type * from './runtime/options.ts'
export type { ApiResponse, ResponsePromise } from './runtime/response-promise.ts'

/** Client of the storefront API, for browsers. */
export class Storefront extends StorefrontApi {
  readonly #options: StorefrontOptions

  constructor(options: StorefrontOptions) {
    if ('apiKey' in options) throw new TypeError('The storefront takes no API key: anyone can read it in a browser')
    super(createTransport(options, '/v1', headersOf(options)))
    this.#options = options
  }

  /** The same client for a customer, or without a token. */
  withCustomerToken(customerToken: string | undefined): Storefront {
    return new Storefront({ ...this.#options, customerToken })
  }
}

function headersOf(options: StorefrontOptions): Record<string, string> {
  const { storeId, customerToken, customerIp, customerCountry } = options
  if (customerToken?.startsWith('skapi_'))
    throw new TypeError('customerToken is an API key, which must stay on servers')
  return {
    'x-service-store-id': checkStoreId(storeId),
    ...(customerToken !== undefined && { authorization: `Customer ${checkToken('customerToken', customerToken)}` }),
    ...(customerIp !== undefined && { 'x-service-customer-ip': customerIp }),
    ...(customerCountry !== undefined && { 'x-service-customer-countrycode': customerCountry }),
  }
}

export interface StorefrontOptions extends ClientOptions {
  /** Token of the signed-in customer. */
  customerToken?: string | undefined
  /** IP address of the customer, when a server calls on their behalf. */
  customerIp?: string | undefined
  /** Country of the customer as an ISO 3166-1 alpha-2 code. Takes precedence over the IP address. */
  customerCountry?: string | undefined
}
