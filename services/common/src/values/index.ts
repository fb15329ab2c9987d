export { maxJsonInteger, permilleOf, sum } from './amounts.ts'
export { checkListFilter } from './list-filter.ts'
export { fieldsOf, maskedFields, pick } from './mask.ts'
export { metadataViolations } from './metadata.ts'
export { textViolations } from './text.ts'
export {
  isSecureAddress,
  isWebAddress,
  maxWebAddressLength,
  secureAddressViolation,
  webAddressViolation,
} from './web-address.ts'
