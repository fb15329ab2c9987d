import { CustomVariableType, PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { z } from 'zod'

const typeNames = ['dropdown', 'text', 'number'] as const
const priceTypeNames = ['fixed', 'percentage'] as const

export const customVariableType = z.enum(typeNames).meta({
  id: 'CustomVariableType',
  description: 'Type of the answer: the value of an option, a text of 1 to 1024 characters, or a decimal number.',
})

export const priceType = z.enum(priceTypeNames).meta({
  id: 'PriceType',
  description:
    '`fixed`: `price` is in the smallest unit of the currency; `percentage`: in per mille of the product price.',
})

export const typeValues = {
  dropdown: CustomVariableType.DROPDOWN,
  text: CustomVariableType.TEXT,
  number: CustomVariableType.NUMBER,
} as const satisfies Record<(typeof typeNames)[number], CustomVariableType>

export const priceTypeValues = {
  fixed: PriceType.FIXED,
  percentage: PriceType.PERCENTAGE,
} as const satisfies Record<(typeof priceTypeNames)[number], PriceType>
