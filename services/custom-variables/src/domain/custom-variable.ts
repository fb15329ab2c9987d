/** An input that a customer gives when buying. Ids are decimal strings; null is "has none". */
export interface CustomVariable extends VariableState {
  id: string
  storeId: string
  options: readonly Option[]
}

/** What may change in a variable. */
export interface VariableState {
  /** Unique in its store in any case. */
  identifier: string
  name: string
  /** "" when none was given. */
  description: string
  type: VariableType
  /** Null also for every dropdown. */
  valueRegex: string | null
  /** At least one of a dropdown, none of the other types. */
  options: readonly OptionDraft[]
}

/** One choice of a dropdown; its place in the list is its sort order. */
export interface Option {
  id: string
  name: string
  /** Unique among the options of its variable. */
  value: string
  /** Whole, negative for a reduction: minor units, or permille of the product's price. Far within 2^53. */
  price: number
  priceType: PriceType
  isDefault: boolean
}

/** An option that was not written yet; null for the id of a new one. */
export interface OptionDraft extends Omit<Option, 'id'> {
  id: string | null
}

export const variableTypes = ['dropdown', 'text', 'number'] as const
export type VariableType = (typeof variableTypes)[number]

export const priceTypes = ['fixed', 'percentage'] as const
export type PriceType = (typeof priceTypes)[number]
