import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, EmailsHandlers } from '../context.ts'
import { selectEmailsOfOrder } from '../db/email-repository.ts'
import { openRecipient } from '../db/recipient-repository.ts'
import { emailToProto } from '../mappers.ts'

export function listEmails(ctx: AppContext): EmailsHandlers['listEmails'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const orderId = requireFlakeId('order_id', request.orderId)
    const { rows, info } = cutPage(plan, await selectEmailsOfOrder(ctx.database, { storeId, orderId }, plan))
    const emails = rows.map((row) =>
      emailToProto(row, row.recipient === null ? undefined : openRecipient(ctx.secrets, row, row.recipient)),
    )
    return { emails, page: info }
  }
}
