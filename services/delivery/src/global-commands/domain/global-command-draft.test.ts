import { violationsIn } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { applyChange, pickChange } from './global-command-change.ts'
import { checkGlobalCommand, type GlobalCommandInput } from './global-command-draft.ts'

const valid: GlobalCommandInput = {
  stage: 'on_purchase',
  content: 'say {customer.name}',
  onlineOnly: false,
  gameServerIds: [],
  executionRule: 'once_per_item',
}

describe('a global command', () => {
  it.each<[string, Partial<GlobalCommandInput>]>([
    ['stage enum', { stage: 'invalid' }],
    ['content length', { content: '' }],
    ['content length', { content: 'x'.repeat(2001) }],
    ['content pattern', { content: 'say {customer.nmae}' }],
    ['override_execute_on_gameserver_ids length', { gameServerIds: Array.from({ length: 101 }, (_, n) => `${n + 1}`) }],
    ['override_execute_on_gameserver_ids.1 format', { gameServerIds: ['1', 'x'] }],
    ['execution_rule enum', { executionRule: 'invalid' }],
  ])('is rejected with a violation: %s', (expected, change) => {
    expect(violationsIn(() => checkGlobalCommand({ ...valid, ...change }))).toEqual([expected])
  })

  it('may be as long as a command can be, and keeps each server once', () => {
    const command = { ...valid, content: '🦊'.repeat(2000), gameServerIds: ['2', '1', '2'] }
    expect(checkGlobalCommand(command)).toEqual({ ...command, gameServerIds: ['2', '1'] })
  })

  it('names the placeholder that was probably meant', () => {
    const check = () => checkGlobalCommand({ ...valid, content: 'say {customer.nmae}' })
    expect(check).toThrow('contains {customer.nmae}, which is not a placeholder; did you mean {customer.name}?')
  })

  it('changes only in the fields that the mask names, and is checked as a whole', () => {
    const { stage, executionRule, ...rest } = checkGlobalCommand(valid)
    const before = { stage, executionRule, ...rest }
    const input: GlobalCommandInput = { ...valid, stage: 'on_expire', content: 'x' }
    expect(applyChange(before, pickChange(input, ['content']))).toEqual({ ...before, content: 'x' })
    expect(applyChange(before, pickChange(valid, ['content', 'stage']))).toBeUndefined()
    expect(() => pickChange(valid, ['id'])).toThrow('The field mask contains "id"')
    expect(() => applyChange(before, { content: '' })).toThrow('content')
  })
})
