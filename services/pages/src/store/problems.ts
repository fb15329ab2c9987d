import type { ServiceFault } from '@storekeep/common/errors'

/** Why a product cannot be put into the cart, or a cart cannot be bought. */
export interface Problem {
  kind: ProblemKind
  /** Name of the form field that it is about, such as "quantity" or "answer-size". Empty for the whole product. */
  field: string
}

const kinds = [
  'unavailable',
  'out-of-stock',
  'customer-limit',
  'product-required',
  'product-owned',
  'answer',
  'server',
  'recipient',
  'quantity',
  'cart-full',
  'banned',
  'other',
] as const
export type ProblemKind = (typeof kinds)[number]

/** The problem in the query of a page after a redirect. */
export function problemOf(query: URLSearchParams): Problem | undefined {
  const kind = kinds.find((one) => one === query.get('problem'))
  return kind && { kind, field: (query.get('field') ?? '').slice(0, 100) }
}

/** The first problem that a rejected change of the cart names. */
export function problemIn({ code, violations }: ServiceFault): Problem | undefined {
  if (code === 'customer-banned') return { kind: 'banned', field: '' }
  if (code === 'conflict') return { kind: 'cart-full', field: '' }
  if (code !== 'validation-failed') return undefined
  const [first] = violations
  return first ? problemAt(first.path, first.code) : { kind: 'other', field: '' }
}

/** @param path of a field of a line: "quantity", "custom_variables.size" */
export function problemAt(path: string, code: string | undefined): Problem {
  const kind = itemCodes[code ?? '']
  if (kind !== undefined) return { kind, field: '' }
  const [, identifier] = /(?:^|[.])custom_variables[.](.+)$/.exec(path) ?? []
  if (identifier !== undefined) return { kind: 'answer', field: `answer-${identifier}` }
  if (/(?:^|[.])(?:selected_gameserver_id|game_server_id)$/.test(path)) return { kind: 'server', field: 'server' }
  if (/(?:^|[.])gift_to/.test(path)) return { kind: 'recipient', field: 'gift' }
  if (/(?:^|[.])quantity$/.test(path)) return { kind: 'quantity', field: 'quantity' }
  if (/(?:^|[.])product_id$/.test(path)) return { kind: 'unavailable', field: '' }
  return { kind: 'other', field: '' }
}

/** By the item codes of the contract. */
const itemCodes: Readonly<Record<string, ProblemKind>> = {
  'product-out-of-stock': 'out-of-stock',
  'product-customer-limit': 'customer-limit',
  'required-product-missing': 'product-required',
  'product-already-owned': 'product-owned',
}
