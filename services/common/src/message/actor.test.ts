import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { actorFromText, actorText } from './actor.ts'

describe('an actor in a column', () => {
  it.each([
    [{ type: ActorType.API_KEY, id: '411486491630370817' }, 'api_key:411486491630370817'],
    [{ type: ActorType.INTERNAL }, 'internal'],
  ])('%o is stored as %s', (actor, text) => {
    expect(actorText(actor)).toBe(text)
    expect(actorFromText(text)).toMatchObject(actor)
  })

  it('decodes to the original for every type', () => {
    for (const type of Object.values(ActorType)) {
      expect(actorFromText(actorText({ type, id: '1' }))).toMatchObject({ type, id: '1' })
    }
  })
})
