import { timestampDate } from '@bufbuild/protobuf/wkt'
import { isFlakeId } from '@storekeep/common/flake'
import {
  eventsOf,
  faultOf,
  isPublished,
  operator,
  retryUnavailable,
  violationsOf,
  withKey,
} from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { storeRequest, useStores } from './harness.ts'

const stores = useStores()

describe('CreateStore', () => {
  it('creates a store with id, version and created_at', async () => {
    const request = storeRequest({ name: ' Isles ', currency: 'USD' })
    const { store } = await stores.client.createStore(request, operator())
    expect(store).toMatchObject({ slug: request.slug, name: 'Isles', game: Game.RUST, currency: 'usd', version: 1n })
    expect(store?.bedrockPrefix).toBe('.')
    expect(store?.logoUrl ?? store?.logoSquareUrl ?? store?.updatedAt).toBeUndefined()
    expect(isFlakeId(store?.id ?? '')).toBe(true)
    const age = Date.now() - (store?.createdAt ? timestampDate(store.createdAt).getTime() : 0)
    expect(Math.abs(age)).toBeLessThan(60_000)
  })

  it('reports every invalid field', async () => {
    const request = { slug: 'A', name: '', game: Game.UNSPECIFIED, currency: 'xyz', logoUrl: 'x', logoSquareUrl: 'x' }
    expect(await violationsOf(stores.client.createStore({ ...request, bedrockPrefix: '12345' }, operator()))).toEqual([
      'slug pattern',
      'game enum',
      'currency enum',
      'bedrock_prefix length',
      'name required',
      'logo_url format',
      'logo_square_url format',
    ])
  })

  it('rejects an unknown game', async () => {
    expect(await violationsOf(stores.client.createStore(storeRequest({ game: 99 as Game }), operator()))).toEqual([
      'game enum',
    ])
  })

  it('rejects a taken slug', async () => {
    const request = storeRequest()
    await stores.client.createStore(request, operator())
    const fault = await faultOf(stores.client.createStore(request, operator()))
    expect(fault).toMatchObject({ code: 'conflict', violations: [{ path: 'slug', validation: 'unique' }] })
  })

  it('gives a slug to exactly one of 16 concurrent callers', async () => {
    const request = storeRequest()
    const calls = Array.from({ length: 16 }, () => {
      const keyed = withKey(operator())
      return retryUnavailable(() => stores.client.createStore(request, keyed))
    })
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  })

  it('returns the same store for a repeated Idempotency-Key', async () => {
    const request = storeRequest()
    const options = withKey(operator())
    const first = await stores.client.createStore(request, options)
    expect(await stores.client.createStore(request, options)).toEqual(first)
    expect(await eventsOf(stores, first.store?.id)).toHaveLength(1)
  })

  it('rejects an Idempotency-Key used with another body', async () => {
    const options = withKey(operator())
    await stores.client.createStore(storeRequest(), options)
    const fault = await faultOf(stores.client.createStore(storeRequest(), options))
    expect(fault).toMatchObject({ code: 'idempotency-mismatch' })
  })

  it('publishes the whole store', async () => {
    const { store } = await stores.client.createStore(storeRequest(), operator())
    expect(await eventsOf(stores, store?.id)).toMatchObject([{ type: 'store.created', message: { store } }])
  })

  it('relays its events to the stream', async () => {
    const { store } = await stores.client.createStore(storeRequest(), operator())
    await expect.poll(() => isPublished(stores, store?.id)).toBe(true)
  })

  it('publishes nothing for a rejected request', async () => {
    const request = storeRequest()
    const { store } = await stores.client.createStore(request, operator())
    await faultOf(stores.client.createStore(request, operator()))
    expect(await eventsOf(stores, store?.id)).toHaveLength(1)
  })
})
