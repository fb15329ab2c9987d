import { errors, isFault, type Violation } from '@storekeep/common/errors'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import { type CustomVariableOption, PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import type { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import type { OptionTerms } from '../sessions/domain/line-price.ts'
import type { Answers, OrderLine, ProductLine } from '../sessions/domain/order.ts'

/** Resolves the buyer's answers to the custom variables of products. */
export function createVariableAnswers(
  customVariables: Pick<Client<typeof CustomVariablesService>, 'resolveValues'>,
): VariableAnswers {
  return {
    async resolve(lines, call) {
      const asking = lines.filter(({ terms, draft }) => {
        return terms.customVariableIds.length > 0 || Object.keys(draft.customVariables).length > 0
      })
      const answers = new Map<ProductLine, Answers>()
      const withAnswers = () => lines.map((line) => ({ ...line, answers: answers.get(line) ?? noAnswers }))
      if (asking.length === 0) return { lines: withAnswers(), violations: [] }
      try {
        const resolved = await customVariables.resolveValues({ lines: asking.map(lineToProto) }, onBehalfOf(call))
        if (resolved.lines.length !== asking.length) throw errors.internal(new Error('answers of a different order'))
        for (const [index, line] of asking.entries()) {
          const values = resolved.lines[index]?.values ?? []
          answers.set(line, {
            values: Object.fromEntries(values.map(({ identifier, value }) => [identifier, value])),
            freeTexts: values.flatMap(({ identifier, isFreeText }) => (isFreeText ? [identifier] : [])),
            variables: values.map(({ identifier, name, option }) => ({
              identifier,
              name,
              optionName: option?.name ?? null,
            })),
            options: values.flatMap(({ option }) => (option ? [optionFromProto(option)] : [])),
          })
        }
        return { lines: withAnswers(), violations: [] }
      } catch (error) {
        if (!isFault(error, 'validation-failed')) throw error
        return { lines: withAnswers(), violations: error.violations }
      }
    },
  }
}

export interface VariableAnswers {
  /**
   * The lines with their answers, or the violations in the answers.
   * @throws ServiceFault `service-unavailable`
   */
  resolve(lines: readonly ProductLine[], call: Call): Promise<{ lines: OrderLine[]; violations: readonly Violation[] }>
}

const noAnswers: Answers = { values: {}, freeTexts: [], variables: [], options: [] }

function lineToProto({ at, productId, terms, draft }: ProductLine) {
  return {
    path: `${at}.custom_variables`,
    customVariableIds: [...terms.customVariableIds],
    values: draft.customVariables,
    // A product of the store may still name a deleted variable; an inline product may not.
    ...(productId === null && { customVariableIdsPath: `${at}.inline_product.custom_variable_ids` }),
  }
}

function optionFromProto({ priceType, price }: CustomVariableOption): OptionTerms {
  if (priceType === PriceType.FIXED) return { priceType: 'fixed', price }
  if (priceType === PriceType.PERCENTAGE) return { priceType: 'percentage', price }
  throw new Error(`option with unknown price type ${priceType}`)
}
