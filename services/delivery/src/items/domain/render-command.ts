import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { isFlakeId } from '@storekeep/proto/conventions/flake-id'
import { type PlaceholderName, parseTemplate } from '@storekeep/proto/conventions/placeholders'
import { type Player, prefixOf, type StoreGame, uuidOnServer } from '../../copies/domain/player.ts'
import type { Item } from './item.ts'

/** What the placeholders of a command stand for. */
export interface CommandFacts {
  item: Pick<Item, 'id' | 'subscriptionId' | 'orderId' | 'orderFacts' | 'productId' | 'productName' | 'productSlug'> &
    Pick<Item, 'customVariables' | 'customerId' | 'orderCustomerId'>
  /** When the item expires, or would expire if it became active now. */
  expiresAt: Date | null
  gameServer: { id: string; name: string }
  store: StoreGame | undefined
  /** Undefined while the customer is not known. */
  customer: Player | undefined
  /** Who paid. Undefined without an order. */
  buyer: Player | undefined
  /**
   * Whether checkout has checked the answers for this command. It checks them for the commands of a product that is bought, and
   * knows neither global commands nor items that are handed out without an order.
   */
  answersAreChecked: boolean
  /** Values of the staff for placeholders that have none, by the name of the placeholder. */
  values: Readonly<Record<string, string>>
}

/**
 * Replaces the placeholders of a command (contract "Delivery", placeholders). A game console has no quoting, so no value can
 * contain what ends a command, starts another, or is expanded by a plugin. Text of the template is not changed.
 *
 * @returns the command, and the names of the placeholders without a value or fallback, for which the command must not run
 */
export function renderCommand(template: string, facts: CommandFacts): { command: string; missing: string[] } {
  const missing = new Set<string>()
  const command = parseTemplate(template).map((part) => {
    if (part.kind === 'literal') return part.text
    const value = part.kind === 'placeholder' ? placeholderValue(part.name, facts) : undefined
    const given = part.kind === 'placeholder' && value === undefined ? givenValue(part.name, facts.values) : undefined
    const text = value ?? given ?? (part.kind === 'placeholder' ? part.fallback : undefined)
    if (text === undefined) missing.add(part.name)
    return text ?? ''
  })
  return { command: command.join(''), missing: [...missing] }
}

function placeholderValue(name: PlaceholderName, facts: CommandFacts): string | undefined {
  const [subject = '', ...rest] = name.split('.')
  if (subject === 'variables') {
    const answer = answerTo(rest.join('.'), facts)
    return facts.answersAreChecked ? cleanAnswer(answer) : safeAnswer(answer)
  }
  if (subject === 'customer') return identityOf(rest.join('.'), facts.item.customerId, facts.customer, facts.store)
  if (subject === 'buyer') return identityOf(rest.join('.'), facts.item.orderCustomerId, facts.buyer, facts.store)
  return cleanText(factOf(name, facts))
}

/**
 * A value of the staff, in the form that the placeholder has otherwise. A value with anything that a command cannot contain is not
 * usable: without it, it could mean another player.
 */
function givenValue(name: PlaceholderName, values: CommandFacts['values']): string | undefined {
  const text = Object.hasOwn(values, name) ? values[name] : undefined
  const [subject = '', ...rest] = name.split('.')
  if (text === undefined) return undefined
  if (subject === 'variables') return safeAnswer(text)
  if (subject !== 'customer' && subject !== 'buyer') return unchanged(text)
  switch (rest.join('.')) {
    case 'id':
      return isFlakeId(text) ? text : undefined
    case 'steam.id':
      return isSteamId(text) ? text : undefined
    case 'minecraft.id':
      return parseUuid(text)?.replaceAll('-', '')
    case 'minecraft.uuid':
      return parseUuid(text)
    case 'xbox.xuid':
      return parseXboxXuid(text)
    default:
      return unchanged(asOneWord(text))
  }
}

function factOf(name: PlaceholderName, { item, gameServer, expiresAt }: CommandFacts): string | null | undefined {
  switch (name) {
    case 'product.id':
      return item.productId
    case 'product.name':
      return item.productName
    case 'product.slug':
      return item.productSlug
    case 'order.id':
      return item.orderId
    case 'order.number':
      return item.orderFacts?.number
    case 'line.quantity':
      return item.orderFacts?.quantity.toString()
    case 'line.price':
      return item.orderFacts?.price
    case 'currency':
      return item.orderFacts?.currency
    case 'subscription.id':
      return item.subscriptionId
    case 'item.id':
      return item.id
    case 'item.expires_at':
      return expiresAt?.toISOString().replace(/[.]\d+Z$/, 'Z')
    case 'gameserver.id':
      return gameServer.id
    case 'gameserver.name':
      return gameServer.name
    default:
      return undefined
  }
}

function identityOf(
  name: string,
  customerId: string | null,
  player: Player | undefined,
  store: StoreGame | undefined,
): string | undefined {
  if (name === 'id') return customerId ?? undefined
  if (!player) return undefined
  const uuid = uuidOnServer(player)
  switch (name) {
    case 'name':
      return cleanName(player.steamName, player) ?? minecraftNameOf(player, store) ?? nameByStore(player)
    case 'steam.id':
      return cleanText(player.steamId)
    case 'steam.name':
      return cleanName(player.steamName, player)
    case 'minecraft.id':
      return cleanText(uuid?.replaceAll('-', ''))
    case 'minecraft.uuid':
      return cleanText(uuid)
    case 'minecraft.name':
      return minecraftNameOf(player, store)
    case 'xbox.xuid':
      return cleanText(player.xboxXuid)
    default:
      return undefined
  }
}

/** The name by which a plugin finds the player, if the name can be part of a command. */
export function playerNameOf(player: Player, store: StoreGame | undefined): string | null {
  return minecraftNameOf(player, store) ?? cleanName(player.steamName, player) ?? nameByStore(player) ?? null
}

/** Without a prefix that a command can contain, the name of a Bedrock player would mean a Java player. */
function minecraftNameOf(player: Player, store: StoreGame | undefined): string | undefined {
  const prefix = prefixOf(player, store)
  const name = cleanName(player.minecraftName, player)
  if (prefix === null) return name
  if (name === undefined || prefix === undefined || unsafeInPrefix.test(prefix)) return undefined
  return prefix + name
}

/** Not used in place of a Minecraft name that cannot be rendered, because it could mean another player. */
function nameByStore(player: Player): string | undefined {
  return player.minecraftName === null ? cleanName(player.name, player) : undefined
}

function answerTo(identifier: string, { item }: CommandFacts): string | undefined {
  return Object.hasOwn(item.customVariables, identifier) ? item.customVariables[identifier] : undefined
}

type Text = string | null | undefined

/** A text without a letter or a digit is no value: a lone `*` would stand for every player in some consoles. */
function cleanText(text: Text): string | undefined {
  return keep(text, unsafeText)
}

/** A name is one word, because players choose their names, and each further word would be another argument of the command. */
function cleanName(text: Text, { claimed }: Pick<Player, 'claimed'>): string | undefined {
  return keep(text && asOneWord(text), claimed ? unsafeInClaimedName : unsafeText)
}

function asOneWord(text: string): string {
  return text.trim().replaceAll(/\s+/gu, '_')
}

/** The text without surrounding spaces; undefined if a command cannot contain all of it. */
function unchanged(text: string): string | undefined {
  const trimmed = text.trim()
  return cleanText(trimmed) === trimmed ? trimmed : undefined
}

function keep(text: Text, unsafe: RegExp): string | undefined {
  const kept = text?.replaceAll(new RegExp(unsafe, 'gu'), '').trim()
  return kept !== undefined && /[\p{L}\p{Nd}]/u.test(kept) ? kept : undefined
}

/**
 * An answer that checkout has accepted: it matches the pattern of the store, or consists of letters, digits and `_.-`. The pattern
 * may permit more than a command can contain.
 */
function cleanAnswer(text: Text): string | undefined {
  const kept = text
    ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp};"{}\\]/gu, '')
    .replace(/^[\s/]+/, '')
    .trimEnd()
  return kept === '' ? undefined : kept
}

/** An answer that nothing has checked: only a single word without anything that has a meaning for a console. */
function safeAnswer(text: string | undefined): string | undefined {
  return text !== undefined && /^[\p{L}\p{M}\p{N}_.-]+$/u.test(text) ? text : undefined
}

const unsafeText = /[^\p{L}\p{M}\p{Nd} _.\-*+#!?(),:]/u
const unsafeInClaimedName = /[^\p{L}\p{Nd}_.\-*]/u
const unsafeInPrefix = /[^\p{L}\p{M}\p{Nd}_.\-*+#!?(),:]/u
