import { type Exit, testIdentity } from '@storekeep/common/testing'
import { type AdminService, readInvocation } from '../src/config.ts'
import { runAdmin } from '../src/run-admin.ts'

/** An address at which nothing listens. */
export const unreachable = '127.0.0.1:1'

/** Runs a command in this process, with cell 0 at `addresses`. Services without an address are unreachable. */
export async function run(
  args: readonly string[],
  addresses: () => Addresses,
  { onOutput = () => {}, interrupted = new AbortController().signal, others = () => [] }: RunOptions = {},
): Promise<Exit> {
  const output = { stdout: '', stderr: '' }
  const nowhere = {
    stores: unreachable,
    customers: unreachable,
    bans: unreachable,
    coupons: unreachable,
    checkout: unreachable,
    orders: unreachable,
    delivery: unreachable,
    emails: unreachable,
    webhooks: unreachable,
    images: unreachable,
    search: unreachable,
  }
  const identity = { tls: undefined, keys: testIdentity('admin-tools').keys }
  const code = await runAdmin(args, {
    config: () => ({
      cells: new Map([addresses(), ...others()].map((given, cell) => [cell, { ...nowhere, ...given }])),
      identity,
    }),
    invocation: readInvocation({ npm_lifecycle_event: 'admin' }),
    out: (text) => {
      output.stdout += text
      onOutput(text)
    },
    err: (text) => {
      output.stderr += text
      onOutput(text)
    },
    interrupted: () => interrupted,
  })
  return { code, ...output }
}

interface RunOptions {
  onOutput?: (text: string) => void
  /** Stands for Ctrl-C. */
  interrupted?: AbortSignal
  /** The addresses of cells 1, 2 and so on. */
  others?: () => Addresses[]
}

type Addresses = Partial<Record<AdminService, string>>

/** A command that printed one error and nothing else. */
export function failure(message: string): Exit {
  return { code: 1, stdout: '', stderr: `error: ${message}\n` }
}

/** A failure of the command line itself, which points to the help of the command, if a command was given. */
export function usageError(message: string, command?: string): Exit {
  return failure(`${message}\nSee: npm run admin -- ${command ? `${command} ` : ''}--help`)
}
