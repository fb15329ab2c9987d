import { errors, isFault, violation } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { portalSessionLimits } from '@storekeep/proto/conventions/limits'
import {
  flowText,
  portalSessionDto,
  portalSessionDtoSchema,
  portalSessionExample,
  subscriptionOfFlow,
} from '@storekeep/records/customers/portal-session-dto'
import { fails } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import type { GatewayContext } from '../../context.ts'
import { endpoint } from '../../http/endpoint.ts'
import { period } from '../../schemas/period.ts'
import { webAddress } from '../../schemas/web-address.ts'
import { customerPath } from './customer-path.ts'

const flowKinds = ['subscription_cancel', 'subscription_payment_method_update'] as const

const flowSchema = z
  .object({
    subscription_cancel: subscriptionOfFlow.nullish().describe(flowText.subscription_cancel),
    subscription_payment_method_update: subscriptionOfFlow
      .nullish()
      .describe(flowText.subscription_payment_method_update),
  })
  .refine((flow) => flowKinds.filter((kind) => flow[kind] != null).length <= 1, {
    path: [flowKinds[1]],
    ...fails('exclusive', 'cannot be combined with another flow'),
  })
  .meta({ id: 'PortalFlowInput', description: 'The page of the portal to open: at most one flow.' })

export const createPortalSession = endpoint({
  operationId: 'createCustomerPortalSession',
  tag: 'Customers',
  summary: 'Create a customer portal session',
  description:
    'Returns a temporary URL where the customer reads orders and manages subscriptions without signing in. A `flow` must name a subscription of the customer.',
  method: 'post',
  path: '/v1/stores/{storeId}/customers/{customerId}/portal-sessions',
  auth: 'api-key',
  scope: 'customers:write',
  params: customerPath,
  body: z
    .object({
      flow: flowSchema.nullish().describe(flowText.flow),
      expires_in: period({ min: 'PT1M', max: 'P7D' })
        .nullish()
        .describe('Lifetime of the session as an ISO 8601 duration from PT1M to P7D. Default: PT1H.'),
      return_url: webAddress.nullish().describe('Where the portal sends the customer back to.'),
    })
    .meta({ id: 'CreateCustomerPortalSessionRequestDto', description: 'A new portal session.' }),
  bodyExample: { expires_in: 'PT1H', return_url: 'https://shop.example.com/account' },
  success: {
    status: 200,
    description: 'The created session. Its token and URL are secrets and are not returned again.',
    schema: portalSessionDtoSchema,
    example: portalSessionExample,
  },
  async handle({ customers, subscriptions }, { params, body, call }) {
    await assertOfCustomer({ customers, subscriptions }, params.customerId, body.flow, call)
    const { portalSession, token, url } = await customers.createPortalSession(
      {
        customerId: params.customerId,
        expiresInSeconds: body.expires_in ?? portalSessionLimits.defaultSeconds,
        ...flowRequest(body.flow),
        ...(body.return_url != null && { returnUrl: body.return_url }),
      },
      call,
    )
    return { body: { ...portalSessionDto(portalSession), token, url } }
  },
})

/**
 * The customers service cannot check this, because orders depends on it.
 * @throws ServiceFault `validation-failed` if the flow names a subscription that the customer does not have, `not-found` for
 * an unknown customer
 */
async function assertOfCustomer(
  { customers, subscriptions }: Pick<GatewayContext, 'customers' | 'subscriptions'>,
  customerId: string,
  flow: z.output<typeof flowSchema> | null | undefined,
  call: CallOptions,
): Promise<void> {
  const kind = flowKinds.find((one) => flow?.[one] != null)
  const subscriptionId = kind && flow?.[kind]?.subscription_id
  if (subscriptionId === undefined) return
  try {
    const { subscription } = await subscriptions.getSubscription({ subscriptionId }, call)
    if (subscription?.customerId === customerId) return
  } catch (error) {
    if (!isFault(error, 'not-found')) throw error
  }
  await customers.getCustomer({ customerId }, call)
  const path = `flow.${kind}.subscription_id`
  throw errors.validationFailed([violation(path, 'reference', 'is not a subscription of the customer')])
}

function flowRequest(flow: z.output<typeof flowSchema> | null | undefined) {
  const { subscription_cancel: cancel, subscription_payment_method_update: update } = flow ?? {}
  if (cancel) {
    return {
      flow: { flow: { case: 'subscriptionCancel' as const, value: { subscriptionId: cancel.subscription_id } } },
    }
  }
  if (update) {
    const value = { subscriptionId: update.subscription_id }
    return { flow: { flow: { case: 'subscriptionPaymentMethodUpdate' as const, value } } }
  }
  return {}
}
