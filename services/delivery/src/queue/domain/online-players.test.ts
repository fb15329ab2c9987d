import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identityKeys, readIdentities } from './online-players.ts'

const lists = { steamIds: [], minecraftUuids: [], customerNames: [] }

describe('the players that a plugin reports', () => {
  it('are read in every notation of the published plugins', () => {
    const read = readIdentities({
      steamIds: ['76561198000000001', ' 76561198000000001 '],
      minecraftUuids: ['069A79F444E94726A5BEFCA90E38AAF5', '069a79f4-44e9-4726-a5be-fca90e38aaf5'],
      customerNames: ['Notch', 'nOTCH', '.Bedrock Name'],
    })
    expect(read).toEqual({
      steamIds: ['76561198000000001'],
      minecraftUuids: ['069a79f4-44e9-4726-a5be-fca90e38aaf5'],
      names: ['notch', '.bedrock name'],
    })
  })

  it('are ignored if they cannot be an identity', () => {
    const steamIds = ['', '0', '-1', '1.5', 'x', '9'.repeat(19), '9'.repeat(30)]
    const minecraftUuids = ['', 'x', '069a79f4', '069a79f4-44e9-4726-a5be-fca90e38aafg']
    const customerNames = ['', ' ', 'a\0b', 'x'.repeat(257)]
    expect(readIdentities({ steamIds, minecraftUuids, customerNames })).toEqual({
      steamIds: [],
      minecraftUuids: [],
      names: [],
    })
  })

  it('are read up to the limit of a list', () => {
    const customerNames = Array.from({ length: 5000 }, (_, n) => `player ${n}`)
    expect(readIdentities({ ...lists, customerNames }).names).toHaveLength(2000)
  })

  it('are accepted by Postgres, whatever the plugin sends', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const read = readIdentities({ steamIds: texts, minecraftUuids: texts, customerNames: texts })
        for (const id of read.steamIds) expect(id).toMatch(/^[1-9]\d{0,18}$/)
        for (const uuid of read.minecraftUuids) expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        for (const name of read.names) expect(name).not.toContain('\0')
      }),
    )
  })

  it('of different kinds never count as the same', () => {
    const keys = identityKeys({ steamIds: ['1'], minecraftUuids: ['1'], names: ['1', 'u1'] })
    expect(new Set(keys).size).toBe(4)
  })
})
