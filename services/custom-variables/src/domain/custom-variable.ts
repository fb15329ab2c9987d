/** A question that buyers answer when they buy a product. Ids are decimal strings. */
export interface CustomVariable extends VariableState {
  id: string
  storeId: string
  options: readonly Option[]
}

/** The fields that an update can change. */
export interface VariableState {
  /** Unique per store, ignoring case. */
  identifier: string
  name: string
  /** Empty if not set. */
  description: string
  type: VariableType
  /** Always null for a dropdown. */
  valueRegex: string | null
  /** At least one for a dropdown, none for other types. */
  options: readonly OptionDraft[]
}

/** A choice of a dropdown. Its position in the list is its sort order. */
export interface Option {
  id: string
  name: string
  /** Unique among the options of its variable. */
  value: string
  /** Surcharge, or a reduction if negative: minor units, or permille of the product's price. Below 2^53. */
  price: number
  priceType: PriceType
  isDefault: boolean
}

/** An option to be stored; the id of a new one is null. */
export interface OptionDraft extends Omit<Option, 'id'> {
  id: string | null
}

export const variableTypes = ['dropdown', 'text', 'number'] as const
export type VariableType = (typeof variableTypes)[number]

export const priceTypes = ['fixed', 'percentage'] as const
export type PriceType = (typeof priceTypes)[number]
