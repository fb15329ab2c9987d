import { addressGroup, type LazyLimit, type Limit } from '@storekeep/common/http'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import { text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import type { GatewayConfig } from '../../config.ts'
import { endpoint } from '../../http/endpoint.ts'
import { storefrontHeaders } from './storefront-headers.ts'

const platforms = [
  'minecraft',
  'minecraft_java_name',
  'minecraft_bedrock_name',
  'steam',
  'minecraft_uuid',
  'xbox_xuid',
] as const

export const signIn = endpoint({
  operationId: 'signInCustomer',
  tag: 'Storefront',
  summary: 'Sign in with a Minecraft name',
  description:
    'Signs a customer in by a typed, unverified Minecraft name, and creates the customer if needed. For Minecraft stores ' +
    'only. Plugins of game servers may send a `minecraft_uuid`, which signs in the name of that account; it needs an online-mode store and ' +
    'a gateway that looks names up at Mojang. The platforms `steam` and `xbox_xuid` fail with `platform-not-allowed`: your server ' +
    'verifies those identities and creates the token. The token expires after 24 hours, or when your server links the customer.',
  method: 'post',
  path: '/v1/store/customer/auth',
  auth: 'none',
  headers: storefrontHeaders,
  body: z
    .object({
      platform: z
        .enum(platforms)
        .meta({ id: 'SignInPlatformDto', description: 'Kind of identity at a sign-in.' })
        .describe('Type of the name. With `minecraft`, the store settings select Java or Bedrock.'),
      id: text(1, customerLimits.nameLength).describe('The name of the player, or the UUID.'),
    })
    .meta({ id: 'SignInRequestDto', description: 'A typed Minecraft name.' }),
  // The only body that is read before the caller is known.
  bodyLimitBytes: 16 * 1024,
  bodyExample: { platform: 'minecraft', id: 'Robin_42' },
  success: {
    status: 200,
    description: 'A customer token that is valid for 24 hours.',
    schema: z
      .object({ customer_token: z.string().describe('Secret token for the `Authorization: Customer <token>` header.') })
      .meta({ id: 'SignInResponseDto', description: 'A token of the customer.' }),
    example: { customer_token: 'skcus_…' },
  },
  errors: ['platform-not-allowed'],
  limits({ config, customers, returningPlayers }, { storeId, peerAddress, body, call }) {
    const nameKey = async () => {
      const { signInKey } = await customers.getSignInKey({ platform: body.platform, id: body.id }, call)
      return `${storeId}:${signInKey}`
    }
    const limits = signInLimits(config.limits, storeId, peerAddress, nameKey)
    return returningPlayers.has({ ...body, storeId, address: peerAddress }) ? limits.slice(0, 1) : limits
  },
  async handle({ customers, failedTokens, returningPlayers }, { storeId, peerAddress, body, call }) {
    const { customerToken } = await customers.signIn({ platform: body.platform, id: body.id }, call)
    failedTokens.recordSuccess(customerToken)
    returningPlayers.add({ ...body, storeId, address: peerAddress })
    return { body: { customer_token: customerToken } }
  },
})

/** Anyone can type any name, so sign-ins are limited by address, by name and by store. The limit by address comes first. */
function signInLimits(
  quotas: GatewayConfig['limits'],
  storeId: string,
  address: string,
  nameKey: LazyLimit['key'],
): (Limit | LazyLimit)[] {
  const group = 'sign-in'
  return [
    { group, policy: 'sign-in-address', key: addressGroup(address), quota: quotas.signInAddressPerMinute },
    { group, policy: 'sign-in-name', key: nameKey, quota: quotas.signInNamePerMinute },
    { group, policy: 'sign-in-store', key: storeId, quota: quotas.signInStorePerMinute },
  ]
}
