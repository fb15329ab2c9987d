import { join } from 'node:path'
import { runTool } from '../../bootstrap/run-tool.mjs'
import { paths } from '../paths.ts'

/**
 * Checks who imports what, by the rules in `.dependency-cruiser.mjs`.
 *
 * @param root folder to check, laid out like the repository
 * @throws SetupError whose log lines name each rule and import
 */
export async function checkBoundaries(root = paths.root): Promise<undefined> {
  const cruiser = join(paths.root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const rules = join(paths.root, '.dependency-cruiser.mjs')
  const command = [process.execPath, cruiser, '--config', rules, ...checkedFolders]
  await runTool(command, 'An import crosses a boundary.', { cwd: root, keepLines: 120 })
}

export const checkedFolders = [
  'services',
  'gateway',
  'proto/codec',
  'proto/conventions',
  'proto/records',
  'deploy',
  'test',
  'helm/build',
  'helm/test',
]
