import { join } from 'node:path'
import type { Progress } from '../../bootstrap/progress.mjs'
import { runTool } from '../../bootstrap/run-tool.mjs'
import { paths } from '../paths.ts'

/** Generates the part of the SDK that follows from the OpenAPI document. It is not committed: every command that reads it runs this. */
export function generateSdk(progress: Progress): Promise<void> {
  const generator = join(paths.root, 'gateway/sdk/codegen/generate.ts')
  return progress.step('code of the SDK', () => runTool([process.execPath, generator], 'Cannot generate the SDK.'))
}
