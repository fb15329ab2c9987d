import type { Handler } from '@storekeep/common/http'
import type { GatewayRequest } from '../http/gateway-request.ts'

/** A step in the handling of a request. Throws to end it with an error response. */
export type Step = Handler<GatewayRequest>
