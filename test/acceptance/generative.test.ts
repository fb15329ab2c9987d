import { report, scaled, seededRandom, useSharedSystem } from '@storekeep/test/kit'
import {
  breaks,
  checkResponse,
  createDraftSender,
  describedRequests,
  type RequestDraft,
} from '@storekeep/test/kit/generator'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const { http, contract, createStore } = await useSharedSystem()
const send = createDraftSender(http, contract.description, [
  await createStore(),
  await createStore({ game: 'minecraft' }),
])

const requests = describedRequests(contract.description)
const fitting = anyOf(requests)
const broken = fc
  .tuple(fitting, fc.array(breaks, { minLength: 1, maxLength: 3 }))
  .map(([draft, all]) => all.reduce((before, breakIt) => breakIt(before), draft))

/**
 * Requests made from /openapi.json alone, half of them fitting it and half of them broken, about what the ones before
 * have made. Beside what is checked here, the kit checks of each response that its status is a listed one and that its body
 * fits its schema. TEST_SEED repeats a run.
 */
it(
  'every response is as described, reveals nothing internal, and is never a server error',
  async () => {
    const { seed } = seededRandom()
    const runs = scaled(500)
    report('generative', { seed, runs })
    const either = fc.oneof(
      fitting.map((draft) => ({ draft, kind: 'fitting' as const })),
      broken.map((draft) => ({ draft, kind: 'broken' as const })),
    )
    await fc.assert(
      fc.asyncProperty(either, ({ draft, kind }) => sendChecked(draft, kind)),
      { seed, numRuns: runs, endOnFailure: true },
    )
    await reachTheRest(seed)
    for (const { name, ...kinds } of tallies.values()) {
      report(name, { fitting: describe(kinds.fitting), broken: describe(kinds.broken) })
    }
    expect(unreached()).toEqual([])
  },
  scaled(600_000),
)

type Kind = 'fitting' | 'broken'
type Tally = Record<Kind, Map<string, number>> & { name: string }

/** What was sent and answered, by operation. */
const tallies = new Map<string, Tally>(
  requests.map(({ operation: { name } }) => [name, { name, fitting: new Map(), broken: new Map() }]),
)

async function sendChecked(draft: RequestDraft, kind: Kind): Promise<void> {
  const response = await send(draft)
  const statusClass = `${Math.floor(response.status / 100)}xx`
  const tally = tallies.get(draft.operation.name)?.[kind]
  tally?.set(statusClass, (tally.get(statusClass) ?? 0) + 1)
  checkResponse(response)
  // What is another store's is not found, whatever is asked of it.
  if (draft.isForeign && asksForChild.test(draft.operation.template))
    expect(response.status).toBeGreaterThanOrEqual(400)
}

const asksForChild = /\{(?!storeId\})/

/** An operation that chance has not led to success yet gets more requests that fit it, and others make what it needs. */
async function reachTheRest(seed: number): Promise<void> {
  for (let round = 0; round < 400 && unreached().length > 0; round += 1) {
    const missing = requests.filter(({ operation }) => unreached().includes(operation.name))
    for (const drafts of [anyOf(missing), fitting]) {
      for (const draft of fc.sample(drafts, { seed: seed + round, numRuns: 1 })) await sendChecked(draft, 'fitting')
    }
  }
}

function unreached(): string[] {
  return [...tallies.values()].filter(({ fitting }) => !fitting.has('2xx')).map(({ name }) => name)
}

/** What is made more often than deleted stays to be asked for. */
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
