/**
 * Thrown by a generated codec for input that it leaves to protobuf-es: unknown fields, malformed bytes, values out of range.
 * A single instance, because creating an Error captures the stack.
 */
export const unsupported = new Error('This message is left to protobuf-es.')
