/** Why there is no new copy of an image. */
export const failureReasons = [
  'timeout',
  'connection',
  'tls',
  'address-rejected',
  'dns',
  'too-slow',
  'protocol',
  'status',
  'too-many-redirects',
  'too-large',
  'unsupported-type',
  'too-many-pixels',
  'undecodable',
] as const
export type ImageFailureReason = (typeof failureReasons)[number]

/** The image cannot be fetched or decoded. The message is for the log. */
export class ImageFailure extends Error {
  readonly reason: ImageFailureReason

  constructor(reason: ImageFailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}
