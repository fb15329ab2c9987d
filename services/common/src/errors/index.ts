export {
  type ErrorCode,
  errorCodes,
  isErrorCode,
  type ValidationKind,
  validationKinds,
} from '@storekeep/proto/conventions/error-codes'
export { firstCause } from './first-cause.ts'
export { errors, isFault, ServiceFault, unavailableIfInternal, type Violation, violation } from './service-fault.ts'
