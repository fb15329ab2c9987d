import { setImmediate } from 'node:timers/promises'
import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { errors, type Violation, violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import { fakeService, randomId, useFakeProcess, useFakeService } from '@storekeep/common/testing'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import type { CustomVariableOptionSchema } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { CustomVariablesService, type LineAnswers } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import type { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import type { StoreTaxSchema } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'

/** How a fake service fails: with 503, with an internal error, or by never responding. */
export type Outage = 'none' | 'unavailable' | 'broken' | 'hanging'

export async function simulateOutage(outage: Outage, call: Call): Promise<void> {
  if (outage === 'unavailable') throw errors.unavailable()
  if (outage === 'broken') throw new Error('broken')
  if (outage === 'hanging') await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
}

export function useFakeStores() {
  const fake = {
    outage: 'none' as Outage,
    calls: 0,
    /** How each store charges taxes, by its id. */
    taxes: new Map<string, MessageInitShape<typeof StoreTaxSchema>>(),
    /** Calls without a response so far. */
    waiting: 0,
    /** Delays a response. */
    beforeResponse: async (): Promise<void> => {},
  }
  const service = useFakeService(StoresService, {
    async getStore(_request, call) {
      fake.calls += 1
      fake.waiting += 1
      await fake.beforeResponse()
      await simulateOutage(fake.outage, call)
      fake.waiting -= 1
      const tax = fake.taxes.get(call.storeId ?? '')
      return { store: { id: call.storeId ?? '', currency: 'eur', ...(tax && { tax, timeZone: 'Europe/Berlin' }) } }
    },
  })
  return Object.assign(fake, { address: () => service.address })
}

export function useFakeCustomers() {
  const known = new Map<string, CustomerInit>()
  const byAccount = new Map<string, string>()
  const fake = {
    outage: 'none' as Outage,
    /** Accounts that were found or created, each as "store platform id". */
    accounts: [] as string[],
    /** The highest number of concurrent calls. */
    maxConcurrent: 0,
    /** Returned for every account. */
    accountViolation: undefined as Violation | undefined,
    /** @returns the id of a new customer of the store */
    add(storeId: string, fields: CustomerInit = {}): string {
      const id = randomId()
      known.set(`${storeId} ${id}`, { id, storeId, ...fields })
      return id
    },
  }
  let running = 0
  /** Yields, so that concurrent calls overlap. */
  async function overlap() {
    running += 1
    fake.maxConcurrent = Math.max(fake.maxConcurrent, running)
    await setImmediate()
    running -= 1
  }
  const service = useFakeService(CustomersService, {
    async getCustomer({ customerId }, call) {
      await overlap()
      await simulateOutage(fake.outage, call)
      const customer = known.get(`${call.storeId} ${customerId}`)
      if (!customer) throw errors.notFound('customer')
      return { customer }
    },
    async findOrCreateCustomer({ platform, id }, call) {
      await overlap()
      await simulateOutage(fake.outage, call)
      if (fake.accountViolation) throw errors.validationFailed([fake.accountViolation])
      const account = `${call.storeId} ${platform} ${id}`
      fake.accounts.push(account)
      const customerId = byAccount.get(account) ?? fake.add(call.storeId ?? '')
      byAccount.set(account, customerId)
      return { customer: { id: customerId } }
    },
  })
  return Object.assign(fake, { address: () => service.address })
}

export function useFakeBans() {
  const banned = new Set<string>()
  const fake = {
    outage: 'none' as Outage,
    /** The error of every check. */
    rejection: undefined as Error | undefined,
    calls: 0,
    /** The identities of the last check, each as "TYPE value". */
    checked: [] as string[],
    /** Bans an identity: "STEAM 7656…". */
    ban: (identity: string) => void banned.add(identity),
  }
  const service = useFakeService(BansService, {
    async checkBan({ identities }, call) {
      fake.calls += 1
      await simulateOutage(fake.outage, call)
      if (fake.rejection) throw fake.rejection
      const checked = identities.map(({ banType, banTypeValue }) => `${banTypeNames.get(banType)} ${banTypeValue}`)
      fake.checked = checked
      return checked.some((identity) => banned.has(identity)) ? { banId: '7' } : {}
    },
  })
  return Object.assign(fake, { address: () => service.address })
}

export function useFakeVariables() {
  const known = new Map<string, FakeVariable>()
  const fake = {
    outage: 'none' as Outage,
    /** The lines of the last request. */
    lines: [] as LineAnswers[],
    /** The store of the last request. */
    storeId: undefined as string | undefined,
    calls: 0,
    /** Returned for every request. */
    violations: [] as Violation[],
    /** @returns the id of a new variable; an answer other than its options does not change the price */
    add(identifier: string, options: Record<string, OptionInit> = {}, id = randomId()): string {
      known.set(id, { identifier, name: `The ${identifier}`, options, isFreeText: false })
      return id
    },
    /** @returns the id of a new text variable without a pattern */
    addText(identifier: string): string {
      const id = fake.add(identifier)
      known.set(id, { identifier, name: `The ${identifier}`, options: {}, isFreeText: true })
      return id
    },
    remove: (id: string) => void known.delete(id),
  }
  const service = useFakeService(CustomVariablesService, {
    async resolveValues({ lines }, call) {
      fake.calls += 1
      fake.storeId = call.storeId
      await simulateOutage(fake.outage, call)
      fake.lines = lines
      const violations = [...fake.violations, ...lines.flatMap(violationsIn)]
      if (violations.length > 0) throw errors.validationFailed(violations)
      return { lines: lines.map((line) => ({ values: line.customVariableIds.flatMap((id) => resolve(id, line)) })) }
    },
    async listCustomVariables(_request, call) {
      fake.calls += 1
      await simulateOutage(fake.outage, call)
      return { customVariables: [...known].map(([id, { identifier }]) => ({ id, identifier })) }
    },
  })
  function violationsIn({ path, customVariableIds, customVariableIdsPath, values }: LineAnswers) {
    return customVariableIds.flatMap((id, index) => {
      const identifier = known.get(id)?.identifier
      if (identifier !== undefined) {
        return identifier in values ? [] : [violation(`${path}.${identifier}`, 'required', 'is required')]
      }
      if (customVariableIdsPath === undefined) return []
      return [violation(`${customVariableIdsPath}.${index}`, 'reference', 'is unknown')]
    })
  }
  function resolve(customVariableId: string, { values }: LineAnswers) {
    const variable = known.get(customVariableId)
    if (!variable) return []
    const { identifier, name, options, isFreeText } = variable
    const value = values[identifier] ?? ''
    const option = options[value]
    return [{ customVariableId, identifier, name, value, isFreeText, ...(option && { option }) }]
  }
  return Object.assign(fake, { address: () => service.address })
}

interface FakeVariable {
  identifier: string
  name: string
  options: Record<string, OptionInit>
  isFreeText: boolean
}

/** The game servers of stores, and what their customers own. */
export function useFakeDelivery() {
  const servers = new Map<string, { id: string; enabled: boolean }[]>()
  const owned = new Map<string, Set<string>>()
  const everywhere: { id: string; enabled: boolean }[] = []
  const fake = {
    outage: 'none' as Outage,
    calls: 0,
    /** The product ids of each question about what a customer owns. */
    questions: [] as { customerId: string; productIds: string[] }[],
    /** @returns the id of a new game server of the store */
    addServer(storeId: string, enabled = true): string {
      const id = randomId()
      servers.set(storeId, [...(servers.get(storeId) ?? []), { id, enabled }])
      return id
    },
    /** Adds a game server to every store. */
    addServerEverywhere: (id: string) => void everywhere.push({ id, enabled: true }),
    own(customerId: string, ...productIds: string[]): void {
      const known = owned.get(customerId) ?? new Set()
      for (const id of productIds) known.add(id)
      owned.set(customerId, known)
    },
  }
  const services = [
    fakeService(GameServersService, {
      async listGameServers(_request, call) {
        fake.calls += 1
        await simulateOutage(fake.outage, call)
        return { gameServers: [...everywhere, ...(servers.get(call.storeId ?? '') ?? [])] }
      },
    }),
    fakeService(DeliveryItemsService, {
      async listOwnedProducts({ customerId, productIds }, call) {
        fake.calls += 1
        fake.questions.push({ customerId, productIds })
        await simulateOutage(fake.outage, call)
        return { productIds: productIds.filter((id) => owned.get(customerId)?.has(id)) }
      },
    }),
  ]
  const service = useFakeProcess('delivery', services)
  return Object.assign(fake, { address: () => service.address })
}

const banTypeNames: ReadonlyMap<number, string> = new Map(Object.entries(BanType).map(([name, type]) => [type, name]))

/** The fields that create a message, as a plain object. */
export type Init<S extends DescMessage> = Exclude<MessageInitShape<S>, MessageShape<S>>
type CustomerInit = Init<typeof CustomerSchema>
type OptionInit = Init<typeof CustomVariableOptionSchema>
