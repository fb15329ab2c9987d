import { timestampDate } from '@bufbuild/protobuf/wkt'
import { isFlakeId } from '@storekeep/common/flake'
import { eventsOf, faultOf, isPublished, operator, violationsOf, withKey } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { storeRequest, useStores } from './harness.ts'

const stores = useStores()

describe('CreateStore', () => {
  it('makes a store with an id, a version and a time', async () => {
    const request = storeRequest({ name: ' Isles ', currency: 'USD' })
    const { store } = await stores.client.createStore(request, operator())
    expect(store).toMatchObject({ slug: request.slug, name: 'Isles', game: Game.RUST, currency: 'usd', version: 1n })
    expect(store?.bedrockPrefix).toBe('.')
    expect(store?.logoUrl ?? store?.logoSquareUrl ?? store?.updatedAt).toBeUndefined()
    expect(isFlakeId(store?.id ?? '')).toBe(true)
    const age = Date.now() - (store?.createdAt ? timestampDate(store.createdAt).getTime() : 0)
    expect(Math.abs(age)).toBeLessThan(60_000)
  })

  it('names every member that is wrong', async () => {
    const request = { slug: 'A', name: '', game: Game.UNSPECIFIED, currency: 'xyz', logoUrl: 'x', logoSquareUrl: 'x' }
    expect(await violationsOf(stores.client.createStore({ ...request, bedrockPrefix: '12345' }, operator()))).toEqual([
      'slug pattern',
      'name required',
      'game enum',
      'currency enum',
      'logo_url format',
      'logo_square_url format',
      'bedrock_prefix length',
    ])
  })

  it('refuses a game that it does not know', async () => {
    expect(await violationsOf(stores.client.createStore(storeRequest({ game: 99 as Game }), operator()))).toEqual([
      'game enum',
    ])
  })

  it('refuses a slug that is taken', async () => {
    const request = storeRequest()
    await stores.client.createStore(request, operator())
    const fault = await faultOf(stores.client.createStore(request, operator()))
    expect(fault).toMatchObject({ code: 'conflict', violations: [{ path: 'slug', validation: 'unique' }] })
  })

  it('gives a slug to one of 16 who ask at once', async () => {
    const request = storeRequest()
    const calls = Array.from({ length: 16 }, () => stores.client.createStore(request, operator()))
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  })

  it('answers a repeated call with the same store', async () => {
    const request = storeRequest()
    const options = withKey(operator())
    const first = await stores.client.createStore(request, options)
    expect(await stores.client.createStore(request, options)).toEqual(first)
    expect(await eventsOf(stores, first.store?.id)).toHaveLength(1)
  })

  it('refuses the idempotency key of another request', async () => {
    const options = withKey(operator())
    await stores.client.createStore(storeRequest(), options)
    const fault = await faultOf(stores.client.createStore(storeRequest(), options))
    expect(fault).toMatchObject({ code: 'idempotency-mismatch' })
  })

  it('publishes the whole store', async () => {
    const { store } = await stores.client.createStore(storeRequest(), operator())
    expect(await eventsOf(stores, store?.id)).toMatchObject([{ type: 'store.created', message: { store } }])
  })

  it('sends its events on to the stream', async () => {
    const { store } = await stores.client.createStore(storeRequest(), operator())
    await expect.poll(() => isPublished(stores, store?.id)).toBe(true)
  })

  it('publishes nothing when it refuses', async () => {
    const request = storeRequest()
    const { store } = await stores.client.createStore(request, operator())
    await faultOf(stores.client.createStore(request, operator()))
    expect(await eventsOf(stores, store?.id)).toHaveLength(1)
  })
})
