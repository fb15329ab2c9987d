import { errors, ServiceFault } from '@storekeep/common/errors'

/** Faults that only the HTTP layer raises; `@storekeep/common/errors` has the others. */
export const httpFaults = {
  invalidJson: () => errors.badRequest('The body is not valid JSON.'),
  /** Worded so that it does not reveal whether the store in the path exists. */
  otherStore: () => errors.forbidden('This API key cannot access this store. Use a key of the store in the path.'),
  missingScope: (scope: string | undefined) =>
    errors.forbidden(`This API key does not have the scope ${scope}. Use a key that has it.`),
  gameServerDisabled: () => errors.forbidden('This game server is disabled.'),
  routeNotFound: () => new ServiceFault('not-found', 'No endpoint matches this path. See /docs.'),
  unsupportedMediaType: (message = 'The Content-Type must be application/json, text/json or application/*+json.') =>
    new ServiceFault('unsupported-media-type', message),
} as const
