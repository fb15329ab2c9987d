export { actorFromText, actorText } from './actor.ts'
export { enumFromProto } from './enum-from-proto.ts'
export { present } from './present.ts'
export { timestampFromDate, timestampOrAbsent } from './timestamp.ts'
