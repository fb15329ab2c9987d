import type { CallOptions, Client } from '@storekeep/common/grpc'
import type { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import type { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import type { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import type { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import type { SearchService } from '@storekeep/proto/search/v1/search_service'
import type { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { ListeningService } from '@storekeep/proto/webhooks/v1/listening_service'
import type { Result } from './output.ts'

export interface Command {
  name: string
  /** One sentence. */
  summary: string
  /** In the order of the help. */
  options: readonly CommandOption[]
  /** Options as the help shows them; an empty string is the command alone. */
  examples: readonly string[]
  /** Runs it in every cell, unless the operator chooses one, and prints the results of all. */
  runsInEveryCell?: boolean
  /** @returns what to print; undefined when the command has printed its results itself */
  run(values: OptionValues, services: Services, terminal: Terminal): Promise<Result | undefined>
}

/** For commands that run for a while. */
export interface Terminal {
  /** Print JSON, one object per line. */
  json: boolean
  /** Prints a line of the results to stdout. */
  print(line: string): void
  /** Prints a line about the progress to stderr. */
  report(line: string): void
  /** From its first call on, Ctrl-C aborts the signal instead of ending the process. */
  interrupted(): AbortSignal
}

export interface CommandOption {
  /** Without the dashes. */
  name: string
  /** Placeholder of the value in the help: `<id>`. */
  value: string
  help: string
  required?: boolean
  /** Request fields that it fills, unless the field is the name with `_` for `-`. Validation errors name the option. */
  fields?: readonly string[]
  /** The command runs in the cell of this store, given by its id or slug, or of the record with this id. */
  locates?: 'store' | 'record'
}

export interface OptionValues {
  /** The value of an option that is `required`. */
  required(name: string): string
  optional(name: string): string | undefined
}

/** The services of one cell. */
export interface Services {
  stores: Client<typeof StoresService>
  customers: Client<typeof CustomersService>
  checkout: Client<typeof CheckoutService>
  payments: Client<typeof PaymentsService>
  listening: Client<typeof ListeningService>
  search: Client<typeof SearchService>
  /** The operator RPCs that services share, by service name. */
  operations: ReadonlyMap<string, Client<typeof OperationsService>>
  /** Options of one call on behalf of the operator. */
  call(storeId?: string): CallOptions
}

/** An error that the operator can fix. Its message is printed as it is. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}
