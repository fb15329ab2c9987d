import { describe, expect, it } from 'vitest'
import {
  foldedNames,
  knownUuids,
  nameOnServer,
  offlineUuid,
  type Player,
  type StoreGame,
  uuidOnServer,
} from './player.ts'

const unknown: Player = {
  storeId: '1',
  customerId: '2',
  name: null,
  claimed: false,
  steamId: null,
  steamName: null,
  minecraftUuid: null,
  minecraftName: null,
  bedrock: false,
  xboxXuid: null,
}
const geyser: StoreGame = { game: 'minecraft_geyser', bedrockPrefix: '.' }
const java: StoreGame = { game: 'minecraft', bedrockPrefix: '.' }
const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

describe('a player', () => {
  it('of Java has the name and UUID of Mojang', () => {
    const player = { ...unknown, minecraftUuid: uuid, minecraftName: 'Notch' }
    expect(nameOnServer(player, geyser)).toBe('Notch')
    expect(uuidOnServer(player)).toBe(uuid)
    expect(foldedNames(player, geyser)).toEqual(['notch'])
    expect(knownUuids(player)).toEqual([uuid, offlineUuid('Notch')])
  })

  it('of Bedrock has the prefix of Geyser, with spaces replaced, and the UUID of Floodgate', () => {
    const player = { ...unknown, minecraftName: 'Robin Fox', bedrock: true, xboxXuid: '2535428504476914' }
    expect(nameOnServer(player, geyser)).toBe('.Robin_Fox')
    expect(uuidOnServer(player)).toBe('00000000-0000-0000-0009-01f5735cdcf2')
    expect(foldedNames(player, geyser)).toEqual(['.robin_fox', '.robin fox'])
    expect(knownUuids(player)).toEqual(['00000000-0000-0000-0009-01f5735cdcf2'])
  })

  it('of Bedrock is not taken for the Java player of the same name', () => {
    const player = { ...unknown, minecraftName: 'Notch', bedrock: true }
    expect(foldedNames(player, geyser)).not.toContain('notch')
    expect(knownUuids(player)).toEqual([])
    // Without Geyser, no server adds a prefix.
    expect(foldedNames(player, java)).toEqual(['notch'])
  })

  it('of Bedrock has no name on a server until the store is known', () => {
    const player = { ...unknown, name: 'Notch', minecraftName: 'Notch', bedrock: true }
    expect(nameOnServer(player, undefined)).toBeNull()
    expect(foldedNames(player, undefined)).toEqual([])
  })

  it('that only the store has named is known by this name', () => {
    expect(foldedNames({ ...unknown, name: 'Kim' }, undefined)).toEqual(['kim'])
    expect(foldedNames(unknown, undefined)).toEqual([])
  })

  it('in offline mode has the UUID that servers derive from the name', () => {
    // As Bukkit documents: UUID.nameUUIDFromBytes("OfflinePlayer:Notch").
    expect(offlineUuid('Notch')).toBe('b50ad385-829d-3141-a216-7e7d7539ba7f')
  })
})
