import { customVariableLimits } from '@storekeep/proto/conventions/limits'

/** Descriptions of the fields of a custom variable, the same in requests and responses. */
export const customVariableText = {
  identifier:
    'Key of the answer in a checkout line: 1 to 64 letters, digits, `_` and `-`; unique within the store regardless of case.',
  name: 'Name shown to buyers.',
  description: 'Help text shown to buyers. Default: an empty string.',
  type: 'Type of the answer.',
  value_regex:
    `Pattern in RE2 syntax that answers must match, at most ${customVariableLimits.patternLength} characters; null for ` +
    'none. An answer matches when any part of it does; anchor the pattern with `^` and `$` to match the whole answer. ' +
    'Not allowed for a dropdown.',
  option_name: 'Name shown to buyers.',
  option_value: 'Answer that chooses the option; unique among the options.',
  option_price: 'Added to the price of the product; negative for a reduction.',
  option_price_type: 'Unit of `price`.',
  option_is_default:
    'Whether the option is chosen when a buyer gives no answer. At most one option can be the default.',
} as const
