import type { AppContext, CustomersHandlers } from '../../context.ts'
import { batchGetProfiles } from './batch-get-profiles.ts'
import { bulkCreateCustomers } from './bulk-create-customers.ts'
import { createCustomer } from './create-customer.ts'
import { findOrCreateCustomer } from './find-or-create-customer.ts'
import { getCustomer } from './get-customer.ts'
import { listCustomers } from './list-customers.ts'
import { lookupCustomer } from './lookup-customer.ts'
import { updateCustomer } from './update-customer.ts'

export function createCustomerHandlers(ctx: AppContext) {
  return {
    createCustomer: createCustomer(ctx),
    bulkCreateCustomers: bulkCreateCustomers(ctx),
    getCustomer: getCustomer(ctx),
    batchGetProfiles: batchGetProfiles(ctx),
    listCustomers: listCustomers(ctx),
    updateCustomer: updateCustomer(ctx),
    lookupCustomer: lookupCustomer(ctx),
    findOrCreateCustomer: findOrCreateCustomer(ctx),
  } satisfies Partial<CustomersHandlers>
}
