import type { PortalFlow, PortalSession } from '@storekeep/proto/customers/v1/customer'
import { z } from 'zod'
import { flakeId } from '../schemas/fields.ts'
import { idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'

export const subscriptionOfFlow = z
  .object({
    subscription_id: flakeId.describe(
      'A subscription of the customer. With any other id, the link opens a page that says so.',
    ),
  })
  .meta({ id: 'PortalFlowSubscriptionDto', description: 'The subscription that a page of the portal is about.' })

/** Descriptions of the flow, the same in requests and responses. */
export const flowText = {
  flow: 'Page of the portal to open: at most one flow. Without it the portal opens on its overview.',
  subscription_cancel: 'Opens the cancellation of a subscription.',
  subscription_payment_method_update: 'Opens the change of the payment method of a subscription.',
} as const

const fields = {
  ...idFields('portal session'),
  customer_id: flakeId.describe('The customer.'),
  created_at: dateTime.describe('When the session was created.'),
  expires_at: dateTime.describe('When the session expires.'),
  flow: z
    .object({
      subscription_cancel: subscriptionOfFlow.nullable().describe(flowText.subscription_cancel),
      subscription_payment_method_update: subscriptionOfFlow
        .nullable()
        .describe(flowText.subscription_payment_method_update),
    })
    .meta({ id: 'PortalFlowDto', description: 'The page of the portal that a session opens.' })
    .nullable()
    .describe('The requested flow; null when none was requested.'),
  return_url: z.string().nullable().describe('Where the portal sends the customer back to.'),
}

export const portalSessionDtoSchema = z
  .object({
    ...fields,
    token: z.string().describe('Secret token of the session.'),
    url: z.string().describe('URL to send the customer to. It contains the token.'),
  })
  .meta({ id: 'CustomerPortalSessionDto', description: 'A temporary link to the customer portal.' })

export type PortalSessionDto = z.input<typeof portalSessionDtoSchema>

/** A session without its secrets, as in events. */
export const portalSessionRecordSchema = z
  .object(fields)
  .meta({ id: 'CustomerPortalSessionRecordDto', description: 'A customer portal session, without its token and URL.' })

export type PortalSessionRecordDto = z.input<typeof portalSessionRecordSchema>

/** A session without its secrets. */
export function portalSessionDto(session: PortalSession | undefined): PortalSessionRecordDto {
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

export const portalSessionRecordExample: PortalSessionRecordDto = {
  id: '411486491630370820',
  store_id: '411486491596816384',
  customer_id: '411486491630370816',
  created_at: '2026-11-20T14:35:17.000Z',
  expires_at: '2026-11-20T15:35:17.000Z',
  flow: null,
  return_url: 'https://shop.example.com/account',
}

export const portalSessionExample: PortalSessionDto = {
  ...portalSessionRecordExample,
  token: 'abcdefghijklmnopqrstuvwxyz23',
  url: 'https://portal.example.com/?t=abcdefghijklmnopqrstuvwxyz23',
}
