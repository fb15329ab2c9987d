import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import { type EmailSchema, EmailStatus } from '@storekeep/proto/emails/v1/email'
import type { EmailsService } from '@storekeep/proto/emails/v1/emails_service'
import { EmailKind } from '@storekeep/proto/stores/v1/store'
import { newId } from './ids.ts'

const createdAt = timestampFromDate(new Date('2026-11-20T14:35:17.042Z'))

/** The emails of the emails service without its rules. */
export function emailsHandlers(): Handlers<typeof EmailsService> {
  return {
    listEmails: async ({ orderId }, call) => ({
      emails: [{ ...emailMessage(orderId, call), status: EmailStatus.SENT, endedAt: createdAt, attempts: 1 }],
      page: { hasNext: false, hasPrevious: false },
    }),
    resendEmail: async ({ orderId, emailId }, call) => ({
      email: { ...emailMessage(orderId, call), resendOf: emailId },
    }),
  }
}

function emailMessage(orderId: string, { storeId = '' }: Call): MessageInitShape<typeof EmailSchema> {
  return {
    id: newId(),
    storeId,
    kind: EmailKind.RECEIPT,
    status: EmailStatus.PENDING,
    customerId: '411486491630370816',
    orderId,
    recipient: 'robin@example.com',
    locale: 'en-GB',
    messageId: '<1@shop.example>',
    createdAt,
  }
}
