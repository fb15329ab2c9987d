import { portalSessionLimits } from '@storekeep/proto/conventions/limits'
import type { PortalFlow, PortalSession } from '@storekeep/proto/customers/v1/customer'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { fails, flakeId } from '../../schemas/fields.ts'
import { period } from '../../schemas/period.ts'
import { idFields } from '../../schemas/record.ts'
import { dateTime, printTime } from '../../schemas/times.ts'
import { webAddress } from '../../schemas/web-address.ts'
import { customerPath } from './customer-path.ts'

const subscription = z.object({
  subscription_id: flakeId.describe(
    'A subscription of the customer; with any other id, the link leads to a page that was not found.',
  ),
})
const flowKinds = ['subscription_cancel', 'subscription_payment_method_update'] as const

const flowText = {
  flow: 'Page of the portal to open: at most one flow. Without it the portal opens on its overview.',
  subscription_cancel: 'Opens the cancellation of a subscription.',
  subscription_payment_method_update: 'Opens the change of the payment method of a subscription.',
} as const

const flowSchema = z
  .object({
    subscription_cancel: subscription.nullish().describe(flowText.subscription_cancel),
    subscription_payment_method_update: subscription.nullish().describe(flowText.subscription_payment_method_update),
  })
  .refine((flow) => flowKinds.filter((kind) => flow[kind] != null).length <= 1, {
    path: [flowKinds[1]],
    ...fails('exclusive', 'cannot be combined with another flow'),
  })

const portalSessionDtoSchema = z
  .object({
    ...idFields('portal session'),
    customer_id: flakeId.describe('The customer.'),
    created_at: dateTime.describe('When the session was created.'),
    expires_at: dateTime.describe('When the session expires.'),
    flow: z
      .object({
        subscription_cancel: subscription.nullable().describe(flowText.subscription_cancel),
        subscription_payment_method_update: subscription
          .nullable()
          .describe(flowText.subscription_payment_method_update),
      })
      .nullable()
      .describe('The requested flow; null when none was requested.'),
    return_url: z.string().nullable().describe('Where the portal sends the customer back to.'),
    token: z.string().describe('Secret token of the session.'),
    url: z.string().describe('URL to send the customer to. It contains the token.'),
  })
  .meta({ id: 'CustomerPortalSessionDto', description: 'A temporary link to the customer portal.' })

type PortalSessionDto = z.input<typeof portalSessionDtoSchema>

export const createPortalSession = endpoint({
  operationId: 'Customers_CreatePortalSession',
  tag: 'Customers',
  summary: 'Create a customer portal session',
  description: 'Returns a temporary URL where the customer reads orders and manages subscriptions without signing in.',
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
    example: {
      id: '411486491630370820',
      store_id: '411486491596816384',
      customer_id: '411486491630370816',
      created_at: '2026-11-20T14:35:17.000Z',
      expires_at: '2026-11-20T15:35:17.000Z',
      flow: null,
      return_url: 'https://shop.example.com/account',
      token: 'abcdefghijklmnopqrstuvwxyz23',
      url: 'https://portal.example.com/?t=abcdefghijklmnopqrstuvwxyz23',
    },
  },
  async handle({ customers }, { params, body, call }) {
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

function portalSessionDto(session: PortalSession | undefined): Omit<PortalSessionDto, 'token' | 'url'> {
  if (!session?.createdAt || !session.expiresAt) throw new Error('A service returned no portal session.')
  return {
    id: session.id,
    store_id: session.storeId,
    customer_id: session.customerId,
    created_at: printTime(session.createdAt),
    expires_at: printTime(session.expiresAt),
    flow: flowDto(session.flow),
    return_url: session.returnUrl ?? null,
  }
}

function flowDto(flow: PortalFlow | undefined): PortalSessionDto['flow'] {
  if (flow?.flow.case === undefined) return null
  const { case: kind, value } = flow.flow
  const target = { subscription_id: value.subscriptionId }
  return {
    subscription_cancel: kind === 'subscriptionCancel' ? target : null,
    subscription_payment_method_update: kind === 'subscriptionPaymentMethodUpdate' ? target : null,
  }
}
