import { addressGroup } from '@storekeep/common/http'
import type { PagesContext } from '../context.ts'
import { assertSameOrigin } from './assert-same-origin.ts'
import { enforceLimit } from './limits.ts'
import type { PageRequest, Route } from './route.ts'
import { send } from './send.ts'

/** Checks the limits and the origin of a request, then runs the handler of its route and sends the reply. */
export function runPage(ctx: PagesContext, { method, handle, isMachine = false }: Route) {
  const { addressPerMinute, formAddressPerMinute } = ctx.config.limits
  return async (request: PageRequest): Promise<void> => {
    request.isMachine = isMachine
    if (!isMachine) {
      const client = addressGroup(request.address)
      enforceLimit(ctx, 'address', client, addressPerMinute)
      if (method === 'POST') {
        assertSameOrigin(request.req, request.site.origin)
        request.isOwnForm = true
        enforceLimit(ctx, 'form-address', client, formAddressPerMinute)
      }
    }
    await send(request, await handle(ctx, request))
  }
}
