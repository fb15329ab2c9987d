import type { CallOptions, Client } from '@storekeep/common/grpc'
import type { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import type { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import type { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import type { SearchService } from '@storekeep/proto/search/v1/search_service'
import type { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { Answer } from './output.ts'

/** One word after the name of the program. */
export interface Command {
  name: string
  /** One sentence. */
  summary: string
  /** In the order in which the help lists them. */
  flags: readonly Flag[]
  /** Shown by the help, without the words in front of the command's name. */
  examples: readonly string[]
  /** @param report tells the operator how far it is, one line each time */
  run(values: FlagValues, services: Services, report: (line: string) => void): Promise<Answer>
}

export interface Flag {
  /** Without the dashes. */
  name: string
  /** What stands for the value in the help: `<id>`. */
  value: string
  help: string
  required?: boolean
  /** Members of the request that it fills, when they are not named like it (`-` for `_`). */
  members?: readonly string[]
}

export interface FlagValues {
  /** Of a required flag. */
  text(name: string): string
  optional(name: string): string | undefined
}

export interface Services {
  stores: Client<typeof StoresService>
  customers: Client<typeof CustomersService>
  checkout: Client<typeof CheckoutService>
  search: Client<typeof SearchService>
  /** Of every service by its name, what all of them answer to the operator. */
  operations: ReadonlyMap<string, Client<typeof OperationsService>>
  /** Options for one call, on behalf of the operator. */
  call(storeId?: string): CallOptions
}

/** Something the operator can put right; its message is printed as it is. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}
