export type { FailureReason } from './request-failure.ts'
export {
  createRequester,
  type OutgoingRequest,
  type Requester,
  type RequesterOptions,
  type RequestOutcome,
} from './requester.ts'
export { createResolver, type Resolve } from './resolve.ts'
