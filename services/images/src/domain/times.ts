const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** When a copy is fetched again: browsers keep it for as long. */
export function nextFetchAfterSuccess(now: Date): Date {
  return new Date(now.getTime() + dayMs)
}

/** When an image that failed is tried again. */
export function nextFetchAfterFailure(now: Date): Date {
  return new Date(now.getTime() + 10 * minuteMs)
}

/** When another process may fetch the image if this one has not finished, for example because it was killed. */
export function nextFetchAfterStart(now: Date): Date {
  return new Date(now.getTime() + minuteMs)
}

/** How long the images of the lines of a checkout session are kept, for the pages of its order. */
export function sessionImagesKeptUntil(now: Date): Date {
  return new Date(now.getTime() + 365 * dayMs)
}
