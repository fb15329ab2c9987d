export { type ErrorCode, errorCodes, isErrorCode, type ValidationKind, validationKinds } from './catalogue.ts'
export { errors, ServiceFault, type Violation, violation } from './service-fault.ts'
