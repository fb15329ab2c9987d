export { flakeIdFromBytes, flakeIdToBytes, isFlakeId, requireFlakeId } from './flake-id.ts'
