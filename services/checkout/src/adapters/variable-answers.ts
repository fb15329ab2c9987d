import { errors, ServiceFault, type Violation } from '@storekeep/common/errors'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import { type CustomVariableOption, PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import type { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import type { OptionTerms } from '../sessions/domain/line-price.ts'
import type { OrderLine } from '../sessions/domain/order.ts'

/** The buyer's answers to the custom variables of products, checked by their owner. */
export function createVariableAnswers(
  customVariables: Pick<Client<typeof CustomVariablesService>, 'resolveValues'>,
): VariableAnswers {
  return {
    async resolve(lines, call) {
      const asked = lines.filter(({ terms, draft }) => {
        return terms.customVariableIds.length > 0 || Object.keys(draft.customVariables).length > 0
      })
      const answers = new Map<OrderLine, Answers>()
      if (asked.length === 0) return { answers, violations: [] }
      try {
        const resolved = await customVariables.resolveValues({ lines: asked.map(lineToProto) }, onBehalfOf(call))
        if (resolved.lines.length !== asked.length) throw errors.internal(new Error('answers of another order'))
        for (const [index, line] of asked.entries()) {
          const values = resolved.lines[index]?.values ?? []
          answers.set(line, {
            values: Object.fromEntries(values.map(({ identifier, value }) => [identifier, value])),
            options: values.flatMap(({ option }) => (option ? [optionFromProto(option)] : [])),
          })
        }
        return { answers, violations: [] }
      } catch (error) {
        if (!(error instanceof ServiceFault) || error.code !== 'validation-failed') throw error
        return { answers, violations: [...error.violations] }
      }
    },
  }
}

export interface VariableAnswers {
  /**
   * The answers of each line that has any, or what is wrong with them.
   * @throws ServiceFault `service-unavailable`
   */
  resolve(
    lines: readonly OrderLine[],
    call: Call,
  ): Promise<{ answers: ReadonlyMap<OrderLine, Answers>; violations: Violation[] }>
}

export interface Answers {
  /** Identifier to answer. */
  values: Record<string, string>
  options: readonly OptionTerms[]
}

function lineToProto({ at, productId, terms, draft }: OrderLine) {
  return {
    path: `${at}.custom_variables`,
    customVariableIds: [...terms.customVariableIds],
    values: draft.customVariables,
    // A product of the store may still name a variable that is gone; a caller who brings a product may not.
    ...(productId === null && { customVariableIdsPath: `${at}.inline_product.custom_variable_ids` }),
  }
}

function optionFromProto({ priceType, price }: CustomVariableOption): OptionTerms {
  if (priceType === PriceType.FIXED) return { priceType: 'fixed', price }
  if (priceType === PriceType.PERCENTAGE) return { priceType: 'percentage', price }
  throw new Error(`an option with the unknown kind of price ${priceType}`)
}
