export { maxJsonInteger } from './json-integer.ts'
export { metadataViolations } from './metadata.ts'
export { hasLength, textViolations } from './text.ts'
export { isWebAddress, maxWebAddressLength } from './web-address.ts'
