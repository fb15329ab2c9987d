export { type AddressCheck, createAddressCheck } from './public-addresses.ts'
export { ForbiddenTarget, notPublic, parseTarget, type Target, type TargetRules } from './target.ts'
