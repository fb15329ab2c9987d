export { isWebAddress, maxWebAddressLength } from './web-address.ts'
