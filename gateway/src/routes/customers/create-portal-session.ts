import type { PortalFlow, PortalSession } from '@storekeep/proto/customers/v1/customer'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { fails, flakeId } from '../../schemas/fields.ts'
import { period } from '../../schemas/period.ts'
import { dateTime, printTime } from '../../schemas/times.ts'
import { webAddress } from '../../schemas/web-address.ts'
import { customerPath } from './customer-path.ts'

const subscription = z.object({ subscription_id: flakeId })
const flowKinds = ['subscription_cancel', 'subscription_payment_method_update'] as const

const flowSchema = z
  .object({
    subscription_cancel: subscription.nullish(),
    subscription_payment_method_update: subscription.nullish(),
  })
  .refine((flow) => flowKinds.filter((kind) => flow[kind] != null).length <= 1, {
    path: [flowKinds[1]],
    ...fails('exclusive', 'must be the only flow'),
  })

const portalSessionDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    customer_id: flakeId,
    created_at: dateTime,
    expires_at: dateTime,
    flow: z
      .object({
        subscription_cancel: subscription.nullable(),
        subscription_payment_method_update: subscription.nullable(),
      })
      .nullable(),
    return_url: z.string().nullable(),
    token: z.string(),
    url: z.string(),
  })
  .meta({ id: 'CustomerPortalSessionDto' })

type PortalSessionDto = z.input<typeof portalSessionDtoSchema>

export const createPortalSession = endpoint({
  operationId: 'Customers_CreatePortalSession',
  tag: 'Customers',
  summary: 'Make a link to the customer portal',
  method: 'post',
  path: '/v1/stores/{storeId}/customers/{customerId}/portal-sessions',
  auth: 'api-key',
  scope: 'customers:write',
  params: customerPath,
  body: z
    .object({
      flow: flowSchema.nullish().meta({ description: 'Where in the portal the link leads straight to.' }),
      expires_in: period({ min: 'PT1M', max: 'P7D' }).nullish().meta({ description: 'PT1H unless given.' }),
      return_url: webAddress.nullish(),
    })
    .meta({ id: 'CreateCustomerPortalSessionRequestDto' }),
  bodyExample: { expires_in: 'PT1H', return_url: 'https://shop.example.com/account' },
  success: {
    status: 200,
    description: 'The session. Its token and address are secrets, and they are not shown again.',
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
        expiresInSeconds: body.expires_in ?? defaultSeconds,
        ...flowRequest(body.flow),
        ...(body.return_url != null && { returnUrl: body.return_url }),
      },
      call,
    )
    return { body: { ...portalSessionDto(portalSession), token, url } }
  },
})

const defaultSeconds = 3600

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
  if (!session?.createdAt || !session.expiresAt) throw new Error('A service answered without the portal session.')
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
