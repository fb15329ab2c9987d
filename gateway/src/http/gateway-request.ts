import { RequestContext } from '@storekeep/common/http'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { GameServerIdentity } from '../auth/game-server-tokens.ts'

/** The state of one request, which the steps of an endpoint fill. */
export class GatewayRequest extends RequestContext {
  /** `WWW-Authenticate` of a 401. */
  challenge = 'APIKey realm="storekeep"'
  apiKeyId: string | undefined = undefined
  scopes: ReadonlySet<string> = noScopes
  customer: Customer | undefined = undefined
  gameServer: GameServerCaller | undefined = undefined
  body: unknown = undefined

  override get logFields(): object {
    return { api_key_id: this.apiKeyId, game_server_id: this.gameServer?.identity.id }
  }
}

/** The game server that sends the request. */
export interface GameServerCaller {
  /** From a check of the token that may be outdated. */
  identity: GameServerIdentity
  /** Checks the token again. @throws ServiceFault as `GameServerTokens.check` */
  identify(outdated: GameServerIdentity): Promise<GameServerIdentity>
}

const noScopes: ReadonlySet<string> = new Set()
