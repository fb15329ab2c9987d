import {
  ContractViolation,
  connectTo,
  createExamples,
  operationsOf,
  report,
  scaled,
  seededRandom,
  useSharedSystem,
} from '@storekeep/test/kit'
import {
  breaks,
  checkResponse,
  createDraftSender,
  describedRequests,
  type RequestDraft,
} from '@storekeep/test/kit/generator'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { type Alterable, startAlteringProxy } from './altering-proxy.ts'

const { http, contract, createStore, shopper } = await useSharedSystem()
const stores = [await createStore(), await createStore({ game: 'minecraft' })]
// Payments begin on the checkout page, which generated requests cannot open.
const { newChild } = createExamples(operationsOf(contract.description), shopper)
for (const store of stores) {
  await newChild(store, 'orderId')
  await newChild(store, 'subscriptionId')
}
/** Need state that generated requests do not reach, or two values that fit each other. */
const needState = [
  // A payment that began on the checkout page.
  'POST /v1/stores/{storeId}/payments/{paymentId}/mark-paid',
  // A cart whose lines can all be bought.
  'POST /v1/store/cart/checkout',
  // A subscription of a customer with a token.
  'GET /v1/store/customer/subscriptions/{subscriptionId}',
  'DELETE /v1/store/customer/subscriptions/{subscriptionId}',
  // An email that was sent.
  'POST /v1/stores/{storeId}/orders/{orderId}/emails/{emailId}/resend',
  // A command that lacks a value, and this value.
  'POST /v1/stores/{storeId}/delivery/commands/{attemptId}/release',
  // Two days within a year.
  'GET /v1/stores/{storeId}/tax-report',
]
const send = createDraftSender(http, contract.description, stores)

const requests = describedRequests(contract.description)
const valid = anyOf(requests)
const broken = fc
  .tuple(valid, fc.array(breaks, { minLength: 1, maxLength: 3 }))
  .map(([draft, all]) => all.reduce((before, breakIt) => breakIt(before), draft))

/**
 * Requests generated from /openapi.json alone, half of them valid and half broken, that refer to the records created by
 * earlier ones. The kit also checks that each response has a documented status and a body that matches its schema.
 * TEST_SEED repeats a run.
 */
it(
  'every response matches the document, reveals nothing internal, and is never a server error',
  async () => {
    const { seed } = seededRandom()
    const runs = scaled(500)
    report('generative', { seed, runs })
    const either = fc.oneof(
      valid.map((draft) => ({ draft, kind: 'valid' as const })),
      broken.map((draft) => ({ draft, kind: 'broken' as const })),
    )
    await fc.assert(
      fc.asyncProperty(either, ({ draft, kind }) => sendChecked(draft, kind)),
      { seed, numRuns: runs, endOnFailure: true },
    )
    await retryUnreached(seed)
    for (const { name, ...kinds } of tallies.values()) {
      report(name, { valid: describe(kinds.valid), broken: describe(kinds.broken) })
    }
    expect(unreached()).toEqual([])
  },
  scaled(600_000),
)

it.each<[string, (response: Alterable) => Alterable, (error: unknown) => boolean]>([
  ['an undocumented status', (response) => ({ ...response, status: 299 }), isViolation('returned 299')],
  ['a server error', () => ({ status: 500, text: internalError }), (error) => String(error).includes('returned 500')],
  ['a body with an undocumented field', addField, isViolation('does not match its schema')],
  ['a body without a documented field', dropField, isViolation('does not match its schema')],
])('the same checks find %s (negative control)', async (_what, alter, isExpected) => {
  const system = inject('system')
  const proxy = await startAlteringProxy(http.baseUrl, alter)
  const faulty = await connectTo({ ...system, gatewayUrls: [proxy.url] })
  try {
    const through = stores.map((store) => store.through(faulty.http))
    const sendAltered = createDraftSender(faulty.http, contract.description, through)
    let found: unknown
    for (const draft of fc.sample(valid, { seed: 1, numRuns: 200 })) {
      found = await sendAltered(draft)
        .then(checkResponse)
        .catch((error: unknown) => error)
      if (found !== undefined) break
    }
    expect(found).toSatisfy(isExpected)
  } finally {
    faulty.disconnect()
    proxy.close()
  }
})

function isViolation(text: string): (error: unknown) => boolean {
  return (error) => error instanceof ContractViolation && error.message.includes(text)
}

const internalError = JSON.stringify({
  status: 500,
  code: 'internal-error',
  message: 'x',
  errors: null,
  trace_id: null,
})

function addField(response: Alterable): Alterable {
  return response.text.startsWith('{') ? { ...response, text: response.text.replace('{', '{"secret":"x",') } : response
}

function dropField(response: Alterable): Alterable {
  return { ...response, text: response.text.replace(/"(id|code)":"[^"]*",/, '') }
}

type Kind = 'valid' | 'broken'
type Tally = Record<Kind, Map<string, number>> & { name: string }

/** Requests and responses by operation. */
const tallies = new Map<string, Tally>(
  requests.map(({ operation: { name } }) => [name, { name, valid: new Map(), broken: new Map() }]),
)

async function sendChecked(draft: RequestDraft, kind: Kind): Promise<void> {
  const response = await send(draft)
  const statusClass = `${Math.floor(response.status / 100)}xx`
  const tally = tallies.get(draft.operation.name)?.[kind]
  tally?.set(statusClass, (tally.get(statusClass) ?? 0) + 1)
  checkResponse(response)
  // Records of another store are never found.
  // An acknowledgement of an unknown id succeeds without an effect.
  const isAcknowledgement = draft.operation.schemes.includes('GameServer')
  if (draft.isForeign && !isAcknowledgement && hasChildId.test(draft.operation.template))
    expect(response.status).toBeGreaterThanOrEqual(400)
}

const hasChildId = /\{(?!storeId\})/

/**
 * Sends more valid requests for operations without a success, for the collections above them, which create and list the
 * records they need, and for any other operation, which creates what those records refer to.
 */
async function retryUnreached(seed: number): Promise<void> {
  for (let round = 0; round < 400 && unreached().length > 0; round += 1) {
    const missing = requests.filter(({ operation }) => unreached().includes(operation.name))
    const collections = requests.filter(({ operation }) =>
      missing.some((one) => one.operation.template.startsWith(operation.template)),
    )
    for (const drafts of [anyOf(missing), anyOf(collections), valid]) {
      for (const draft of fc.sample(drafts, { seed: seed + round, numRuns: 1 })) await sendChecked(draft, 'valid')
    }
  }
}

function unreached(): string[] {
  const failed = [...tallies.values()].filter(({ valid }) => !valid.has('2xx')).map(({ name }) => name)
  return failed.filter((name) => !needState.includes(name))
}

/** Creates outnumber deletes, so that records remain. */
function anyOf(some: typeof requests): fc.Arbitrary<RequestDraft> {
  const weights: Record<string, number> = { POST: 4, PATCH: 3, GET: 3, DELETE: 1 }
  return fc.oneof(
    ...some.map(({ operation, drafts }) => ({ weight: weights[operation.method] ?? 1, arbitrary: drafts })),
  )
}

/** "46 (2xx 14, 30 %; 4xx 32)" */
function describe(tally: Map<string, number>): string {
  const total = [...tally.values()].reduce((sum, count) => sum + count, 0)
  const share = Math.round((100 * (tally.get('2xx') ?? 0)) / Math.max(1, total))
  return `${total} (2xx ${tally.get('2xx') ?? 0}, ${share} %; 4xx ${tally.get('4xx') ?? 0})`
}
