import { setImmediate } from 'node:timers/promises'
import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { errors, type Violation, violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import type { CustomVariableOptionSchema } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { CustomVariablesService, type LineAnswers } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import type { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
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
    /** Calls that are not answered yet. */
    waiting: 0,
    /** Holds an answer back. */
    beforeAnswer: async (): Promise<void> => {},
  }
  const service = useFakeService(StoresService, {
    async getStore(_request, call) {
      fake.calls += 1
      fake.waiting += 1
      await fake.beforeAnswer()
      await simulateOutage(fake.outage, call)
      fake.waiting -= 1
      return { store: { id: call.storeId ?? '', currency: 'eur' } }
    },
  })
  return Object.assign(fake, { address: () => service.address })
}

export function useFakeCustomers() {
  const known = new Map<string, CustomerInit>()
  const byAccount = new Map<string, string>()
  const fake = {
    outage: 'none' as Outage,
    /** Accounts that were found or made, each as "store platform id". */
    opened: [] as string[],
    /** The most calls that were under way at once. */
    mostAtOnce: 0,
    /** What is wrong with every account. */
    wrongAccount: undefined as Violation | undefined,
    /** @returns the id of a new customer of the store */
    add(storeId: string, members: CustomerInit = {}): string {
      const id = randomId()
      known.set(`${storeId} ${id}`, { id, storeId, ...members })
      return id
    },
  }
  let underWay = 0
  /** As long as it takes for others to come in. */
  async function takeTime() {
    underWay += 1
    fake.mostAtOnce = Math.max(fake.mostAtOnce, underWay)
    await setImmediate()
    underWay -= 1
  }
  const service = useFakeService(CustomersService, {
    async getCustomer({ customerId }, call) {
      await takeTime()
      await simulateOutage(fake.outage, call)
      const customer = known.get(`${call.storeId} ${customerId}`)
      if (!customer) throw errors.notFound('customer')
      return { customer }
    },
    async findOrCreateCustomer({ platform, id }, call) {
      await takeTime()
      await simulateOutage(fake.outage, call)
      if (fake.wrongAccount) throw errors.validationFailed([fake.wrongAccount])
      const account = `${call.storeId} ${platform} ${id}`
      fake.opened.push(account)
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
    /** With which every check is refused. */
    refusal: undefined as Error | undefined,
    calls: 0,
    /** What the last check asked for, each as "TYPE value". */
    asked: [] as string[],
    /** Bans whoever has this: "STEAM 7656…". */
    ban: (identity: string) => void banned.add(identity),
  }
  const service = useFakeService(BansService, {
    async checkBan({ identities }, call) {
      fake.calls += 1
      await simulateOutage(fake.outage, call)
      if (fake.refusal) throw fake.refusal
      const asked = identities.map(({ banType, banTypeValue }) => `${banTypeNames.get(banType)} ${banTypeValue}`)
      fake.asked = asked
      return asked.some((one) => banned.has(one)) ? { banId: '7' } : {}
    },
  })
  return Object.assign(fake, { address: () => service.address })
}

export function useFakeVariables() {
  const known = new Map<string, { identifier: string; options: Record<string, OptionInit> }>()
  const fake = {
    outage: 'none' as Outage,
    /** What was asked for last. */
    asked: [] as LineAnswers[],
    /** The store that it was asked for. */
    storeId: undefined as string | undefined,
    calls: 0,
    /** What is wrong with every answer. */
    wrong: [] as Violation[],
    /** @returns the id of a new variable; an answer that is none of the options adds nothing to the price */
    add(identifier: string, options: Record<string, OptionInit> = {}, id = randomId()): string {
      known.set(id, { identifier, options })
      return id
    },
    remove: (id: string) => void known.delete(id),
  }
  const service = useFakeService(CustomVariablesService, {
    async resolveValues({ lines }, call) {
      fake.calls += 1
      fake.storeId = call.storeId
      await simulateOutage(fake.outage, call)
      fake.asked = lines
      const wrong = [...fake.wrong, ...lines.flatMap(wrongOf)]
      if (wrong.length > 0) throw errors.validationFailed(wrong)
      return { lines: lines.map((line) => ({ values: line.customVariableIds.flatMap((id) => resolve(id, line)) })) }
    },
  })
  function wrongOf({ path, customVariableIds, customVariableIdsPath, values }: LineAnswers) {
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
    const { identifier, options } = variable
    const value = values[identifier] ?? ''
    const option = options[value]
    return [{ customVariableId, identifier, value, ...(option && { option }) }]
  }
  return Object.assign(fake, { address: () => service.address })
}

const banTypeNames: ReadonlyMap<number, string> = new Map(Object.entries(BanType).map(([name, type]) => [type, name]))

/** What a message is made of, in the plain. */
export type Init<S extends DescMessage> = Exclude<MessageInitShape<S>, MessageShape<S>>
type CustomerInit = Init<typeof CustomerSchema>
type OptionInit = Init<typeof CustomVariableOptionSchema>
