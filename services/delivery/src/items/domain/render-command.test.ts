import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Player } from '../../copies/domain/player.ts'
import { type CommandFacts, renderCommand } from './render-command.ts'

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const robin: Player = {
  storeId: '1',
  customerId: '20',
  name: 'Robin',
  claimed: false,
  steamId: '76561198000000001',
  steamName: 'Robin [EU]',
  minecraftUuid: uuid,
  minecraftName: 'Robin_F',
  bedrock: false,
  xboxXuid: '2535428504476914',
}
const facts: CommandFacts = {
  item: {
    id: '30',
    customerId: '20',
    orderCustomerId: '21',
    subscriptionId: '40',
    orderId: '50',
    orderFacts: { number: '1042', currency: 'eur', quantity: 3, price: '9.99' },
    productId: '60',
    productName: 'VIP Rank',
    productSlug: 'vip-rank',
    customVariables: { nick: 'Foxy', color: '#ff8800' },
  },
  expiresAt: new Date('2027-01-02T03:04:05.678Z'),
  gameServer: { id: '70', name: 'Survival' },
  store: { game: 'minecraft_geyser', bedrockPrefix: '.' },
  customer: robin,
  buyer: { ...robin, customerId: '21', steamName: 'Kim' },
  answersAreChecked: true,
  values: {},
}
const unknown: Player = {
  ...robin,
  name: null,
  steamId: null,
  steamName: null,
  minecraftUuid: null,
  minecraftName: null,
  xboxXuid: null,
}

describe('a placeholder', () => {
  it.each([
    ['customer.id', '20'],
    ['customer.name', 'Robin_EU'],
    ['customer.steam.id', '76561198000000001'],
    ['customer.steam.name', 'Robin_EU'],
    ['customer.minecraft.id', '069a79f444e94726a5befca90e38aaf5'],
    ['customer.minecraft.uuid', uuid],
    ['customer.minecraft.name', 'Robin_F'],
    ['customer.xbox.xuid', '2535428504476914'],
    ['buyer.id', '21'],
    ['buyer.name', 'Kim'],
    ['product.id', '60'],
    ['product.name', 'VIP Rank'],
    ['product.slug', 'vip-rank'],
    ['order.id', '50'],
    ['order.number', '1042'],
    ['line.quantity', '3'],
    ['line.price', '9.99'],
    ['currency', 'eur'],
    ['subscription.id', '40'],
    ['item.id', '30'],
    ['item.expires_at', '2027-01-02T03:04:05Z'],
    ['gameserver.id', '70'],
    ['gameserver.name', 'Survival'],
    ['variables.nick', 'Foxy'],
    ['variables.color', '#ff8800'],
  ])('{%s} is replaced by %s', (name, value) => {
    expect(renderCommand(`a {${name}} b`, facts)).toEqual({ command: `a ${value} b`, missing: [] })
  })

  it.each([
    ['customer.steam.id', '76561198000000002', '76561198000000002'],
    ['customer.steam.id', 'Robin', undefined],
    ['customer.minecraft.uuid', '069A79F444E94726A5BEFCA90E38AAF5', uuid],
    ['customer.minecraft.id', uuid, '069a79f444e94726a5befca90e38aaf5'],
    ['customer.minecraft.uuid', 'Robin', undefined],
    ['customer.xbox.xuid', '0002535428504476914', '2535428504476914'],
    ['customer.xbox.xuid', 'x', undefined],
    ['customer.name', ' Robin Fox', 'Robin_Fox'],
    ['buyer.id', '411486491630370816', '411486491630370816'],
    ['buyer.id', 'x', undefined],
    ['variables.nick', 'Foxy', 'Foxy'],
    ['variables.nick', 'Foxy op', undefined],
    ['customer.name', '@a', undefined],
    ['customer.steam.name', 'Robin;op', undefined],
    ['order.number', ' 1042 b', '1042 b'],
    ['order.number', '1042; op', undefined],
  ])('{%s} without a value is replaced by %s from staff as %s', (name, value, expected) => {
    const blank = { ...facts.item, orderCustomerId: null, orderFacts: null, customVariables: {} }
    const given = { ...facts, item: blank, customer: unknown, buyer: undefined, values: { [name]: value } }
    const { command, missing } = renderCommand(`{${name}}`, given)
    expect([command, missing]).toEqual(expected === undefined ? ['', [name]] : [expected, []])
  })

  it('with a value is not replaced by a value from staff', () => {
    const values = { 'customer.steam.id': '76561198000000002' }
    expect(renderCommand('{customer.steam.id}', { ...facts, values }).command).toBe(robin.steamId)
  })

  it('is replaced inside of what plugins expand and next to literal braces', () => {
    const template = 'give {player.source_from:{customer.steam.id}} {"x":"{product.name}"} {{item.id}}'
    const command = 'give {player.source_from:76561198000000001} {"x":"VIP Rank"} {item.id}}'
    expect(renderCommand(template, facts)).toEqual({ command, missing: [] })
  })

  it('without a value blocks the command, unless it has a fallback', () => {
    const bare = { ...facts, customer: unknown, buyer: undefined, expiresAt: null }
    const withoutName = renderCommand('lp user {customer.minecraft.uuid} {buyer.name} {customer.minecraft.uuid}', bare)
    expect(withoutName.missing).toEqual(['customer.minecraft.uuid', 'buyer.name'])
    expect(renderCommand('{variables.other}', bare).missing).toEqual(['variables.other'])
    expect(renderCommand('{variables.constructor}', bare).missing).toEqual(['variables.constructor'])
    expect(renderCommand('{item.expires_at|never} {buyer.name|}', bare)).toEqual({ command: 'never ', missing: [] })
  })

  it('that no release knows blocks the command', () => {
    expect(renderCommand('say {customer.nmae}', facts).missing).toEqual(['customer.nmae'])
  })
})

describe('the name of a player', () => {
  const bedrock = { ...unknown, minecraftName: 'Robin Fox', bedrock: true }

  it('has the prefix of Geyser for Bedrock players, and the UUID of Floodgate', () => {
    const customer = { ...bedrock, xboxXuid: '2535428504476914' }
    const { command } = renderCommand('{customer.minecraft.name} {customer.minecraft.uuid}', { ...facts, customer })
    expect(command).toBe('.Robin_Fox 00000000-0000-0000-0009-01f5735cdcf2')
  })

  it('is missing if a command cannot contain the prefix, because without it the name would mean a Java player', () => {
    const store = { game: 'minecraft_geyser' as const, bedrockPrefix: ';' }
    expect(renderCommand('{customer.minecraft.name}', { ...facts, customer: bedrock, store }).missing).toHaveLength(1)
  })

  it('of Bedrock is missing until the store is known, because the plain name could mean a Java player', () => {
    for (const name of ['customer.name', 'customer.minecraft.name']) {
      const customer = { ...bedrock, name: 'Robin Fox' }
      expect(renderCommand(`{${name}}`, { ...facts, customer, store: undefined }).missing).toEqual([name])
    }
  })

  it('that was only typed keeps letters, digits and _.-*', () => {
    const typed = { ...unknown, claimed: true, minecraftName: 'Ro bin_.-*#!?(1),:+é' }
    const { command } = renderCommand('{customer.name}', { ...facts, customer: typed })
    expect(command).toBe('Ro_bin_.-*1é')
  })

  it('without a letter or digit is missing, because * means every player in some consoles', () => {
    for (const steamName of ['*', '.', '-', '/', '@', '   ']) {
      const customer = { ...unknown, steamName }
      expect(renderCommand('kick {customer.steam.name}', { ...facts, customer }).missing).toHaveLength(1)
    }
  })
})

describe('an answer that checkout has not checked', () => {
  const render = (nick: string, template = 'nick {variables.nick}') => {
    const item = { ...facts.item, customVariables: { nick } }
    return renderCommand(template, { ...facts, item, answersAreChecked: false })
  }

  it.each(['Foxy', 'É_1.-', '٣'])('is used if it is a plain word: %s', (nick) => {
    expect(render(nick)).toEqual({ command: `nick ${nick}`, missing: [] })
  })

  it.each(['Foxy op', '@a', '*', '#f80', 'a:b', 'x;y', 'Foxy\n', ' Foxy', '/op', ''])(
    'is missing otherwise: %j',
    (nick) => {
      expect(render(nick).missing).toEqual(['variables.nick'])
      expect(render(nick, 'nick {variables.nick|none}')).toEqual({ command: 'nick none', missing: [] })
    },
  )
})

/** Each tries to end a command and start another, to reach other players, or to be expanded by a plugin. */
const hostile = [
  'x\nop eve',
  'x\r\nop eve',
  'x\rop eve',
  'x\u0085op eve',
  'x\u2028op eve',
  'x\u2029op eve',
  'x\vop eve',
  'x\fop eve',
  'x\u0000op eve',
  'x\u001b[2Jop eve',
  'x\u007fop eve',
  'x\u009bop eve',
  'x;op eve',
  'x; quit;',
  ';;;a',
  'x";op eve;"',
  'x" op eve',
  'x {player.source_from:1}',
  'x {customer.id}',
  '{{a}}',
  'a}',
  'a{',
  'x"}]} ; op eve',
  '/op eve',
  '//op eve',
  ' /op eve',
  '\t/op eve',
  ';/op eve',
  '"/op eve',
  '\u200b/op eve',
  '\ufeff/op eve',
  'x\\";op eve',
  'a\\',
  'a\u202e;eve po',
  'x\n\n\nstop',
  '\nstop',
  '\r/stop',
  'x\u0000;stop',
  '{player.name}\n',
  'x;\u2028{y}"',
]

/** Adds arguments to a command such as `lp user Robin parent add vip`. */
const addsArguments = 'Robin parent add admin'

/** Everything that a name or text must not contain, and the narrower set for an answer that the store's pattern accepts. */
const unsafe = { text: /[^\p{L}\p{M}\p{Nd} _.\-*+#!?(),:]/u, answer: /[\p{Cc}\p{Cf}\u2028\u2029;"{}\\]/u }

const player = (fields: Partial<Player>): Partial<CommandFacts> => ({ customer: { ...unknown, ...fields } })
const item = (fields: Partial<CommandFacts['item']>): Partial<CommandFacts> => ({ item: { ...facts.item, ...fields } })

/** Where a hostile value can come from, also where another service validates it. */
const places: [string, string, (value: string) => Partial<CommandFacts>, keyof typeof unsafe][] = [
  ['customer name', 'customer.name', (name) => player({ name }), 'text'],
  ['Steam name', 'customer.steam.name', (steamName) => player({ steamName }), 'text'],
  ['verified Minecraft name', 'customer.minecraft.name', (minecraftName) => player({ minecraftName }), 'text'],
  ['claimed Minecraft name', 'customer.name', (minecraftName) => player({ minecraftName, claimed: true }), 'text'],
  ['gamertag', 'customer.minecraft.name', (minecraftName) => player({ minecraftName, bedrock: true }), 'text'],
  [
    'claimed gamertag',
    'customer.name',
    (minecraftName) => player({ minecraftName, bedrock: true, claimed: true }),
    'text',
  ],
  ['SteamID', 'customer.steam.id', (steamId) => player({ steamId }), 'text'],
  ['Minecraft UUID', 'customer.minecraft.uuid', (minecraftUuid) => player({ minecraftUuid }), 'text'],
  ['Xbox user id', 'customer.xbox.xuid', (xboxXuid) => player({ xboxXuid, minecraftUuid: uuid }), 'text'],
  ['name of the giver', 'buyer.name', (steamName) => ({ buyer: { ...unknown, steamName } }), 'text'],
  ['product name', 'product.name', (productName) => item({ productName }), 'text'],
  ['product slug', 'product.slug', (productSlug) => item({ productSlug }), 'text'],
  ['game server name', 'gameserver.name', (name) => ({ gameServer: { id: '70', name } }), 'text'],
  [
    'price',
    'line.price',
    (price) => item({ orderFacts: { number: '1', currency: 'eur', quantity: 1, price } }),
    'text',
  ],
  [
    'currency',
    'currency',
    (currency) => item({ orderFacts: { number: '1', currency, quantity: 1, price: '1' } }),
    'text',
  ],
  ['name from staff', 'customer.name', (name) => ({ ...player({}), values: { 'customer.name': name } }), 'text'],
  ['SteamID from staff', 'customer.steam.id', (id) => ({ ...player({}), values: { 'customer.steam.id': id } }), 'text'],
  [
    'text from staff',
    'order.number',
    (text) => ({ ...item({ orderFacts: null }), values: { 'order.number': text } }),
    'text',
  ],
  [
    'answer from staff',
    'variables.nick',
    (text) => ({ ...item({ customVariables: {} }), values: { 'variables.nick': text } }),
    'text',
  ],
  ['answer', 'variables.nick', (nick) => item({ customVariables: { nick } }), 'answer'],
]

describe('a command stays one command', () => {
  const leading = /^[\s/]/
  const render = (name: string, change: Partial<CommandFacts>) =>
    renderCommand(`say <{${name}}>`, { ...facts, ...change })
  const inserted = (command: string) => command.slice('say <'.length, -1)

  it.each(places)('with a hostile %s', (_place, name, change, kind) => {
    expect(hostile).toHaveLength(40)
    for (const value of hostile) {
      const { command, missing } = render(name, change(value))
      const text = inserted(command)
      expect(unsafe[kind].test(text), JSON.stringify({ value, text })).toBe(false)
      expect(leading.test(text), JSON.stringify({ value, text })).toBe(false)
      // A value of which nothing is left is missing, and the command does not run.
      expect(text === '').toBe(missing.length > 0)
    }
  })

  it.each(places.filter(([, name]) => /^(customer|buyer)[.](.+[.])?name$/.test(name)))(
    'with as many words as its template, whatever the %s is',
    (_place, name, change) => {
      for (const value of [...hostile, addsArguments, 'a\u00a0b', 'a\tb']) {
        expect(render(name, change(value)).command.split(/\s+/), value).toHaveLength(2)
      }
      expect(inserted(render(name, change(addsArguments)).command)).toMatch(/^[.]?Robin_parent_add_admin$/)
    },
  )

  it.each(places)('with any text as %s', (_place, name, change, kind) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const { command, missing } = render(name, change(value))
        expect(unsafe[kind].test(inserted(command))).toBe(false)
        expect(inserted(command) === '').toBe(missing.length > 0)
      }),
    )
  })

  it('only because values are cleaned: inserted as they are, all of them break out', () => {
    for (const value of hostile) expect(unsafe.answer.test(value) || leading.test(value), value).toBe(true)
  })

  it('even if the template is its own neighbor: a value is never parsed again', () => {
    const change = item({ customVariables: { nick: '{customer.id}', other: 'x' }, productName: '{customer.id}' })
    const { command } = renderCommand('{product.name}{variables.nick}{variables.other}', { ...facts, ...change })
    expect(command).toBe('customer.idcustomer.idx')
  })

  it('and keeps the text of the staff as it is', () => {
    const template = 'say "%server%"; op @p {"text":"x"} \\ `$x` | & <'
    expect(renderCommand(template, facts).command).toBe(template)
  })
})
