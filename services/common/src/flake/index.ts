export { flakeIdFromBytes, flakeIdToBytes, isFlakeId } from './flake-id.ts'
