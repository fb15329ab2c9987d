import { present } from '@storekeep/common/message'
import { productLimits } from '@storekeep/proto/conventions/limits'
import { intervalScale, scaleValues } from '@storekeep/records/products/product-text'
import { stockLimitText } from '@storekeep/records/products/stock-dto'
import { int32, int64 } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** A stock limit in the body of a product. */
export const stockLimit = z
  .object({
    enabled: z.boolean().nullish().describe(`${stockLimitText.enabled} Default: false.`),
    quantity: int64(0, productLimits.stock).nullish().describe(stockLimitText.quantity),
    time_value: int32(1, productLimits.timeValue).nullish().describe(stockLimitText.time_value),
    time_scale: intervalScale.nullish().describe(stockLimitText.time_scale),
    include_trials: z.boolean().nullish().describe(`${stockLimitText.include_trials} Default: false.`),
  })
  .meta({ id: 'CreateStockLimitDto', description: 'How many units can be sold, in total or within a sliding window.' })

/** The limit as the checkout service expects it. */
export function stockLimitMessage(limit: z.output<typeof stockLimit>) {
  return present({
    enabled: limit.enabled ?? false,
    quantity: limit.quantity == null ? undefined : BigInt(limit.quantity),
    timeValue: limit.time_value,
    timeScale: limit.time_scale && scaleValues[limit.time_scale],
    includeTrials: limit.include_trials ?? false,
  })
}
