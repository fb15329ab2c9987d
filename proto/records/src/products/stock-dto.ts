import type { StockAvailable, StockLimit } from '@storekeep/proto/checkout/v1/product'
import { z } from 'zod'
import { int32, int64 } from '../schemas/fields.ts'
import { intervalScale, scaleName } from './product-text.ts'

/** Descriptions of the fields of a stock limit, the same in requests and responses. */
export const stockLimitText = {
  enabled:
    'Whether the limit applies. Only units of checkouts that were created while a limit was enabled are counted.',
  quantity: 'How many units can be sold. Required for an enabled limit.',
  time_value: 'Length of a sliding window, in units of `time_scale`; null for all time.',
  time_scale: 'Unit of the length of the window.',
  include_trials: 'Whether units in a trial count. No effect yet, because there are no trials.',
} as const

export const stockLimitDtoSchema = z
  .object({
    enabled: z.boolean().describe(stockLimitText.enabled),
    quantity: int64(0).nullable().describe(stockLimitText.quantity),
    time_value: int32(1).nullable().describe(stockLimitText.time_value),
    time_scale: intervalScale.nullable().describe(stockLimitText.time_scale),
    include_trials: z.boolean().describe(stockLimitText.include_trials),
  })
  .meta({ id: 'StockLimitDto', description: 'How many units can be sold, in total or within a sliding window.' })

/** An absent limit is a disabled one. */
export function stockLimitDto(limit: StockLimit | undefined): z.input<typeof stockLimitDtoSchema> {
  return {
    enabled: limit?.enabled ?? false,
    quantity: limit?.quantity === undefined ? null : Number(limit.quantity),
    time_value: limit?.timeValue ?? null,
    time_scale: scaleName(limit?.timeScale),
    include_trials: limit?.includeTrials ?? false,
  }
}

export const stockAvailableDtoSchema = z
  .object({
    store_available: int64(0)
      .nullable()
      .describe('Units that `store_stock_limit` leaves for all customers together; null without an enabled limit.'),
    customer_available: int64(0)
      .nullable()
      .describe(
        'Units that `customer_stock_limit` leaves for the customer of the query parameter `customer_id`; null without an enabled ' +
          'limit or without the parameter.',
      ),
  })
  .meta({
    id: 'StockAvailableDto',
    description: 'Units of a product that can be sold. Units in open checkout sessions are reserved until these end.',
  })

export function stockAvailableDto(
  available: StockAvailable | undefined,
): z.input<typeof stockAvailableDtoSchema> | null {
  if (!available) return null
  const { storeAvailable, customerAvailable } = available
  return {
    store_available: storeAvailable === undefined ? null : Number(storeAvailable),
    customer_available: customerAvailable === undefined ? null : Number(customerAvailable),
  }
}
