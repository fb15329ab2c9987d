import { describe, expect, it } from 'vitest'
import type { DeliveryCommand, DeliveryTerms } from '../../copies/domain/delivery-terms.ts'
import type { GlobalCommand } from '../../global-commands/domain/global-command.ts'
import { plannedCommands, withoutOthers } from './planned-commands.ts'

const command = (content: string, fields: Partial<DeliveryCommand> = {}): DeliveryCommand => ({
  stage: 'on_purchase',
  content,
  onlineOnly: false,
  gameServerIds: [],
  delaySeconds: 0,
  requiredSlots: 0,
  ...fields,
})
const globalCommand = (content: string, fields: Partial<GlobalCommand> = {}): GlobalCommand => ({
  ...command(content),
  id: '1',
  storeId: '1',
  executionRule: 'once_per_item',
  ...fields,
})
const terms = (commands: DeliveryCommand[], gameServerIds: string[] = []): DeliveryTerms => ({
  commands,
  gameServerIds,
  removeAfter: null,
})
const servers = [1, 2, 3].map((number) => ({ id: String(number), name: `S${number}`, enabled: number !== 3 }))
const item = { executeOnGameserverId: null, orderId: '1', quantityIndex: 0 }

/** "content@server" of each planned command; undefined as in `plannedCommands`. */
function plan(...given: Parameters<typeof plannedCommands>): string[] | undefined {
  return plannedCommands(...given)?.commands.map((one) => `${one.command.content}@${one.server.id}`)
}

describe('the commands of a stage', () => {
  it('run in their order, the global ones last, on each enabled server', () => {
    const product = terms([command('a'), command('x', { stage: 'on_refund' }), command('b')])
    const globals = [globalCommand('g'), globalCommand('y', { stage: 'on_expire' })]
    expect(plan('on_purchase', item, product, globals, servers)).toEqual(['a@1', 'a@2', 'b@1', 'b@2', 'g@1', 'g@2'])
  })

  it('that run once per order are dropped unless they run with the item, which then has none', () => {
    const globals = [globalCommand('g', { executionRule: 'once_per_order', gameServerIds: ['1'] }), globalCommand('h')]
    const all = plannedCommands('on_purchase', item, terms([]), globals, servers)
    expect(all?.commands.map(({ onceId }) => onceId)).toEqual(['1', null, null])
    const once = plannedCommands('on_purchase', item, terms([]), globals.slice(0, 1), servers)
    if (!all || !once) throw new Error('the commands are not known')
    expect(withoutOthers(all, () => true)).toEqual(all)
    expect(withoutOthers(all, () => false)).toEqual({ commands: all.commands.slice(1), isEmpty: false })
    expect(withoutOthers(once, () => false)).toEqual({ commands: [], isEmpty: true })
  })

  it('that run once per order run with the first of the items that were handed out without an order', () => {
    const globals = [globalCommand('g', { executionRule: 'once_per_order', gameServerIds: ['1'] })]
    const ran = (quantityIndex: number) =>
      plannedCommands('on_purchase', { ...item, orderId: null, quantityIndex }, terms([]), globals, servers)?.commands
    expect([ran(0), ran(1)]).toMatchObject([[{ onceId: null }], []])
  })

  it('also run on a disabled server that is named, where they wait', () => {
    expect(plan('on_purchase', item, terms([command('a')], ['3']), [], servers)).toEqual(['a@3'])
  })

  it('are not known while they are for all servers and none is enabled', () => {
    const disabled = servers.map((server) => ({ ...server, enabled: false }))
    expect(plan('on_purchase', item, terms([command('a')]), [], disabled)).toBeUndefined()
    expect(plan('on_purchase', item, terms([command('a')]), [], [])).toBeUndefined()
    expect(plan('on_purchase', item, terms([command('a', { stage: 'on_renew' })]), [], [])).toEqual([])
  })

  it('are not known while all servers that the commands of the product name are deleted', () => {
    const named = terms([command('a')], ['9'])
    expect(plan('on_purchase', item, named, [], servers)).toBeUndefined()
    expect(plan('on_purchase', item, named, [globalCommand('g')], servers)).toBeUndefined()
    expect(plan('on_renew', item, terms([command('a', { stage: 'on_renew' })], ['9']), [], servers)).toBeUndefined()
    expect(plan('on_purchase', { ...item, executeOnGameserverId: '9' }, terms([command('a')]), [], servers)).toBe(
      undefined,
    )
    expect(plan('on_purchase', item, terms([command('a')], ['1', '9']), [], servers)).toEqual(['a@1'])
    const partly = terms([command('a', { gameServerIds: ['9'] }), command('b')], ['1'])
    expect(plan('on_purchase', item, partly, [], servers)).toEqual(['b@1'])
  })

  it('that take an item back are left out for deleted servers, where nothing is left to take', () => {
    expect(plan('on_refund', item, terms([command('a', { stage: 'on_refund' })], ['9']), [], servers)).toEqual([])
  })

  it('that are global are left out for deleted servers, which is not the same as having none', () => {
    const global = globalCommand('g', { gameServerIds: ['9'] })
    expect(plannedCommands('on_purchase', item, terms([]), [global], servers)).toEqual({ commands: [], isEmpty: false })
    expect(plannedCommands('on_purchase', item, terms([]), [], servers)).toEqual({ commands: [], isEmpty: true })
  })
})
