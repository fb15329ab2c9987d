import type { AppContext, OrderHandlers } from '../../context.ts'
import { createRefund } from '../../refunds/handlers/create-refund.ts'
import { listRefunds } from '../../refunds/handlers/list-refunds.ts'
import { getCustomerOrder } from './get-customer-order.ts'
import { getOrder } from './get-order.ts'
import { getTaxReport } from './get-tax-report.ts'
import { listCustomerOrders } from './list-customer-orders.ts'
import { listOrders } from './list-orders.ts'
import { listTimeline } from './list-timeline.ts'

export function createOrderHandlers(ctx: AppContext): OrderHandlers {
  return {
    getOrder: getOrder(ctx),
    listOrders: listOrders(ctx),
    listTimeline: listTimeline(ctx),
    createRefund: createRefund(ctx),
    listRefunds: listRefunds(ctx),
    getTaxReport: getTaxReport(ctx),
    listCustomerOrders: listCustomerOrders(ctx),
    getCustomerOrder: getCustomerOrder(ctx),
  }
}
