import { RequestContext } from '@storekeep/common/http'
import type { Customer } from '@storekeep/proto/customers/v1/customer'

/** The state of one request, which the steps of an endpoint fill. */
export class GatewayRequest extends RequestContext {
  /** `WWW-Authenticate` of a 401. */
  challenge = 'APIKey realm="storekeep"'
  apiKeyId: string | undefined = undefined
  scopes: ReadonlySet<string> = noScopes
  customer: Customer | undefined = undefined
  gameServerId: string | undefined = undefined
  body: unknown = undefined

  override get logFields(): object {
    return { api_key_id: this.apiKeyId, game_server_id: this.gameServerId }
  }
}

const noScopes: ReadonlySet<string> = new Set()
