import { describe, expect, it } from 'vitest'
import { applyChange, type CustomerChange } from './customer-change.ts'
import { newCustomer } from './customer-draft.ts'

const nothing = {
  steamId: null,
  minecraftUuid: null,
  minecraftPlatform: null,
  xboxXuid: null,
  name: null,
  metadata: {},
}
const steam = { ...newCustomer({ ...nothing, steamId: '1' }), steamName: 'Ada', steamAvatarUrl: 'https://a' }
const minecraft = {
  ...newCustomer({ ...nothing, minecraftUuid: 'a' }),
  minecraftName: 'Ada',
  minecraftAvatarUrl: 'https://a',
}
const typed = { ...newCustomer(nothing), minecraftName: 'Ada', minecraftAvatarUrl: 'https://a', signInKey: 'java:ada' }

describe('a customer change', () => {
  it('changing an account drops only its looked-up profile', () => {
    expect(applyChange(steam, { steamId: '2' })).toMatchObject({ steamId: '2', steamName: null, steamAvatarUrl: null })
    expect(applyChange(steam, { name: 'x' })).toMatchObject({ steamName: 'Ada' })
    expect(applyChange(minecraft, { minecraftUuid: 'b' })).toMatchObject({
      minecraftName: null,
      minecraftAvatarUrl: null,
    })
    expect(applyChange(minecraft, { minecraftUuid: null, name: 'x' })).toMatchObject({ minecraftName: null })
    expect(applyChange(minecraft, { minecraftPlatform: 'java' })).toMatchObject({ minecraftName: 'Ada' })
  })

  it.each<[string, CustomerChange]>([
    ['a UUID', { minecraftUuid: 'a' }],
    ['a SteamID', { steamId: '1' }],
    ['an XUID', { xboxXuid: '1' }],
  ])('that adds %s to a typed name drops all that was typed', (_what, change) => {
    const dropped = { minecraftName: null, minecraftAvatarUrl: null, minecraftPlatform: null, signInKey: null }
    expect(applyChange(typed, change)).toEqual({ ...typed, ...change, ...dropped })
  })

  it('adding an id and the edition keeps the edition', () => {
    const change = { minecraftUuid: 'a', minecraftPlatform: 'bedrock' } as const
    expect(applyChange(typed, change)).toMatchObject({ ...change, signInKey: null })
  })

  it('changing anything but an id keeps a typed name', () => {
    const change = { name: 'x', metadata: { k: 'v' }, steamId: null }
    expect(applyChange(typed, change)).toEqual({ ...typed, ...change })
  })

  it.each<[string, CustomerChange]>([
    ['nothing', {}],
    ['the same values', { steamId: '1', name: null, metadata: {} }],
  ])('to %s is undefined', (_what, change) => {
    expect(applyChange(steam, change)).toBeUndefined()
  })

  it('must leave an identity; a name typed at sign-in suffices', () => {
    expect(() => applyChange(steam, { steamId: null })).toThrow('needs at least one of')
    expect(applyChange({ ...typed, name: 'x' }, { name: null })).toMatchObject({ name: null, signInKey: 'java:ada' })
  })
})
