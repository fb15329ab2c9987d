import type { ServiceFault } from '@storekeep/common/errors'

/** As in the gateway, except that a bug of ours is a 503 too: it is never the shopper's fault, and a retry may work. */
export function statusOf({ code }: ServiceFault): number {
  switch (code) {
    case 'bad-request':
    case 'validation-failed':
      return 400
    case 'unauthorized':
    case 'not-found':
      return 404
    case 'forbidden':
    case 'customer-banned':
      return 403
    case 'method-not-allowed':
      return 405
    case 'conflict':
      return 409
    case 'payload-too-large':
      return 413
    case 'too-many-requests':
      return 429
    default:
      return 503
  }
}
