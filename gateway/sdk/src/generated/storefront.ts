// Generated from the gateway's OpenAPI document by `npm run codegen`. Do not edit.

import { type RequestOptions, type ResponsePromise, type Transport } from '../runtime/transport.ts'
import type { Customer, SignInRequest, SignInResponse, Store } from './types.ts'

/** A method for each operation that browsers may call. */
export abstract class StorefrontApi {
  /**
   * Get the store.
   *
   * Returns the public data of the store. A customer token is optional, but an invalid one is refused. Changes of the store appear within five seconds.
   *
   * @example
   * const store = await storefront.getStore()
   */
  readonly getStore: (options?: RequestOptions) => ResponsePromise<Store>

  /**
   * Get the signed-in customer.
   *
   * Returns the customer of the token. Also the cheapest way to check whether a token is still valid. With a token of the sign-in by a typed name, `name` is null and `metadata` is empty: anyone can get such a token.
   *
   * @example
   * const customer = await storefront.getSignedInCustomer()
   */
  readonly getSignedInCustomer: (options?: RequestOptions) => ResponsePromise<Customer>

  /**
   * Sign in with a Minecraft name.
   *
   * Signs a customer in by a typed, unverified Minecraft name, and creates the customer if needed. For Minecraft stores only. The platforms `steam`, `minecraft_uuid` and `xbox_xuid` fail with `platform-not-allowed`: your server verifies those identities and creates the token. The token ends after 24 hours, or when your server links the customer.
   *
   * @example
   * const signIn = await storefront.signInCustomer({ platform: 'minecraft', id: 'Robin_42' })
   */
  readonly signInCustomer: (body: SignInRequest, options?: RequestOptions) => ResponsePromise<SignInResponse>

  constructor(api: Transport) {
    this.getStore = (options) => api.send('GET', '/store', {}, options)
    this.getSignedInCustomer = (options) => api.send('GET', '/store/customer', {}, options)
    this.signInCustomer = (body, options) => api.send('POST', '/store/customer/auth', { body }, options)
  }
}
