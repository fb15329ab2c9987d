export {
  cellOf,
  flakeIdFromBytes,
  flakeIdPattern,
  flakeIdToBytes,
  isFlakeId,
  maxCell,
  nodeNumberOf,
  requireFlakeId,
} from './flake-id.ts'
