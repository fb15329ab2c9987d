import { errors, violation } from '@storekeep/common/errors'
import type { GatewayContext } from '../context.ts'
import { type Endpoint, isOfStorefront } from '../http/endpoint.ts'
import { headerAliases } from '../routes/storefront/storefront-headers.ts'
import type { Step } from './step.ts'

/**
 * Renames the headers of a storefront request that clients of the original interface send, so that later steps read only
 * one name. An empty value counts as absent.
 * @throws validation-failed that names the alias, if both headers are sent with different values
 */
export function renameHeaders({ config }: GatewayContext, { auth }: Endpoint): Step | undefined {
  if (!isOfStorefront({ auth }) || !config.http.headerAliases) return undefined
  return ({ req: { headers } }) => {
    for (const [alias, name] of headerAliases) {
      const value = headers[alias]
      if (!value) continue
      if (headers[name] && headers[name] !== value) {
        throw errors.validationFailed([violation(alias, 'exclusive', `must equal ${name} if both are sent`)])
      }
      headers[name] = value
    }
  }
}
