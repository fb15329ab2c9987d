import { type Violation, violation } from '@storekeep/common/errors'
import { productLimits } from '@storekeep/proto/conventions/limits'
import { type IntervalScale, intervalScales, type StockLimit } from './product.ts'

/** A stock limit as requested, not validated. An absent field is unset. */
export interface StockLimitInput extends Pick<StockLimit, 'enabled' | 'includeTrials'> {
  quantity?: number | undefined
  timeValue?: number | undefined
  /** "invalid" if it is unknown. */
  timeScale?: IntervalScale | 'invalid' | undefined
}

/** @param at path of the limit: "store_stock_limit" */
export function stockLimitViolations(limit: StockLimitInput, at: string): Violation[] {
  const { enabled, quantity } = limit
  const found = spanViolations(
    { value: limit.timeValue, scale: limit.timeScale, isRequired: false, scales: intervalScales },
    { value: `${at}.time_value`, scale: `${at}.time_scale` },
  )
  if (quantity === undefined) {
    return enabled ? [violation(`${at}.quantity`, 'required', 'is required for an enabled limit'), ...found] : found
  }
  if (quantity < 0) return [violation(`${at}.quantity`, 'min', 'must be at least 0'), ...found]
  if (quantity <= productLimits.stock) return found
  return [violation(`${at}.quantity`, 'max', `must be at most ${productLimits.stock}`), ...found]
}

/** The limit as it is stored; null for a limit without any setting. Only for an input without violations. */
export function toStockLimit(limit: StockLimitInput | undefined): StockLimit | null {
  if (!limit) return null
  const { enabled, quantity = null, timeValue = null, timeScale = null, includeTrials } = limit
  if (!enabled && quantity === null && timeValue === null && !includeTrials) return null
  return { enabled, quantity, timeValue, timeScale: timeScale === 'invalid' ? null : timeScale, includeTrials }
}

/** A length of time as requested. */
export interface Span {
  value: number | undefined
  scale: IntervalScale | 'invalid' | undefined
  isRequired: boolean
  /** The allowed scales. */
  scales: readonly IntervalScale[]
}

/** The violations in a length of time, whose value and scale are set together. @param paths of value and scale */
export function spanViolations(span: Span, paths: { value: string; scale: string }): Violation[] {
  const { value, scale, isRequired, scales } = span
  const found: Violation[] = []
  if (value === undefined) {
    if (isRequired || scale !== undefined) found.push(violation(paths.value, 'required', 'is required'))
  } else if (value < 1) {
    found.push(violation(paths.value, 'min', 'must be at least 1'))
  } else if (value > productLimits.timeValue) {
    found.push(violation(paths.value, 'max', `must be at most ${productLimits.timeValue}`))
  }
  if (scale === undefined) {
    if (isRequired || value !== undefined) found.push(violation(paths.scale, 'required', 'is required'))
  } else if (!scales.some((one) => one === scale)) {
    found.push(violation(paths.scale, 'enum', `must be one of ${scales.join(', ')}`))
  }
  return found
}
