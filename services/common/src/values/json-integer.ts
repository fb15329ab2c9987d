/** Whole numbers beyond this cannot be told from each other in JSON. */
export const maxJsonInteger = BigInt(Number.MAX_SAFE_INTEGER)
