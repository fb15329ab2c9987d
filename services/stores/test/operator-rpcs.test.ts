import { type CallActor, createClient, createGrpcTransport } from '@storekeep/common/grpc'
import { faultOf, operator, withApiKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import { describe, expect, it } from 'vitest'
import { createTestStore, storeRequest, useStores } from './harness.ts'

const stores = useStores()

const others: CallActor[] = [
  { type: ActorType.ANONYMOUS },
  { type: ActorType.API_KEY, id: '411486491630370817' },
  { type: ActorType.CUSTOMER, id: '411486491630370817' },
  { type: ActorType.UNSPECIFIED },
]

describe('the operator RPCs', () => {
  it.each(others)('reject other callers and change nothing: $type', async (actor) => {
    const { id: storeId } = await createTestStore(stores)
    const { apiKey } = await stores.client.createApiKey({ storeId, name: 'x' }, operator())
    const before = await everything(storeId)
    const { client } = stores
    const options = { ...withApiKey(storeId), actor }
    const calls = [
      client.createStore(storeRequest(), options),
      client.listStores({}, options),
      client.createApiKey({ storeId, name: 'y' }, options),
      client.listApiKeys({ storeId }, options),
      client.revokeApiKey({ apiKeyId: apiKey?.id ?? '' }, options),
    ]
    for (const call of calls) expect(await faultOf(call)).toMatchObject({ code: 'forbidden' })
    expect(await everything(storeId)).toEqual(before)
    const transport = createGrpcTransport({ address: stores.running.address })
    const replay = createClient(OperationsService, transport).replayDeadLetters({}, options)
    expect(await faultOf(replay)).toMatchObject({ code: 'forbidden' })
    transport.close()
  })

  it('accept internal callers', async () => {
    const { id } = await createTestStore(stores)
    const internal = operator({ actor: { type: ActorType.INTERNAL } })
    expect((await stores.client.listStores({}, internal)).stores.some((store) => store.id === id)).toBe(true)
  })
})

async function everything(storeId: string) {
  const [{ stores: all }, { apiKeys }] = await Promise.all([
    stores.client.listStores({}, operator()),
    stores.client.listApiKeys({ storeId }, operator()),
  ])
  return { all, apiKeys }
}
