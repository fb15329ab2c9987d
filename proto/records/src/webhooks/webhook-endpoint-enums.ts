import { WebhookDisabledReason, WebhookFormat } from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import { z } from 'zod'
import { namesOf } from '../schemas/enums.ts'

export const webhookFormatValues = { standard: WebhookFormat.STANDARD, discord: WebhookFormat.DISCORD } as const

export const webhookFormat = z.enum(namesOf(webhookFormatValues)).meta({
  id: 'WebhookFormat',
  description: '`standard`: signed JSON with the record. `discord`: a message for a webhook of a Discord channel.',
})

export const disabledReasonValues = {
  failing: WebhookDisabledReason.FAILING,
  gone: WebhookDisabledReason.GONE,
} as const

export const disabledReason = z.enum(namesOf(disabledReasonValues)).meta({
  id: 'WebhookDisabledReason',
  description: '`failing`: all attempts failed for five days, ten or more. `gone`: the receiver responded 410.',
})
