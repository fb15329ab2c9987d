/** The largest integer that JSON parsers represent exactly. */
export const maxJsonInteger = BigInt(Number.MAX_SAFE_INTEGER)
