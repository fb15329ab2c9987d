import { ServiceFault } from '@storekeep/common/errors'

/** Faults that only HTTP knows; those of the services are in `@storekeep/common/errors`. */
export const httpFaults = {
  routeNotFound: () => new ServiceFault('not-found', 'There is nothing at this path.'),
  methodNotAllowed: (allowed: readonly string[]) =>
    new ServiceFault('method-not-allowed', `This path knows only ${allowed.join(', ')}.`),
  payloadTooLarge: (limitBytes: number) =>
    new ServiceFault('payload-too-large', `The body may have at most ${limitBytes / 1024} KiB.`),
  unsupportedMediaType: (message: string) => new ServiceFault('unsupported-media-type', message),
  tooManyRequests: (retryAfterSeconds: number) =>
    new ServiceFault('too-many-requests', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    }),
} as const
