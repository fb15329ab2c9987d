import type { CreateCheckoutSessionResponse } from '@storekeep/proto/checkout/v1/checkout_service'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const createdSessionSchema = z
  .object({
    id: flakeId.describe('Id of the checkout session.'),
    token: z.string().describe('Secret token of the session.'),
    url: z.string().describe('URL to send the customer to. It contains the token.'),
  })
  .meta({ id: 'CreateCheckoutSessionResponseDto', description: 'Where the customer pays.' })

export function createdSession({
  session,
  token,
  url,
}: Pick<CreateCheckoutSessionResponse, 'session' | 'token' | 'url'>): z.input<typeof createdSessionSchema> {
  if (!session) throw new Error('A service returned no checkout session.')
  return { id: session.id, token, url }
}

export const createdSessionExample: z.input<typeof createdSessionSchema> = {
  id: '411486491630370840',
  token: 'abcdefghijklmnopqrstuvwxyz23',
  url: 'https://checkout.example.com/?t=abcdefghijklmnopqrstuvwxyz23',
}
