export { type Child, type ChildOptions, type Exit, lastLines, startChild, waitUntilReady } from './child.ts'
export { guardChild } from './guard.ts'
export { startNode, waitUntilServing } from './start-node.ts'
