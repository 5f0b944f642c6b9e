import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findKubectls } from '@orch/testkit';
import { executablePath } from '@orch/testkit/orchctl-executable';
import type { BenchContext, Subject } from '../../lib/context.ts';
import { childCpuMillis } from '../../lib/proc.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** A command line, and the paths of its configuration and caches. */
export interface Caller {
  readonly argv: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** Command lines of a program. */
export type Program = (...argv: readonly string[]) => Caller;

/** The clients to compare, as the administrator of one server. */
export interface Clients {
  /** The file that runs on Node. */
  readonly bundled: Program;
  /** Undefined when it was not built. */
  readonly executable: Program | undefined;
  /** Undefined when it is not installed on this machine. */
  readonly kubectl: Program | undefined;
  /** The folders of the discovery caches of the clients. */
  readonly caches: readonly string[];
}

export async function clientsOf(context: BenchContext, subject: Subject): Promise<Clients> {
  const kubectl = (await findKubectls(root)).at(-1);
  const home = join(context.folder, 'home');
  mkdirSync(home, { recursive: true });
  const environment = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: subject.server.adminConfig };
  const program =
    (...first: readonly string[]): Program =>
    (...argv) => ({ argv: [...first, ...argv], environment });
  return {
    // As `bin/orchctl` starts it.
    bundled: program(process.execPath, '--use-openssl-ca', join(root, 'dist', 'orchctl-start.cjs')),
    executable: existsSync(executablePath) ? program(executablePath) : undefined,
    kubectl: kubectl && program(kubectl.path),
    caches: ['.orch', '.kube'].map((name) => join(home, name, 'cache')),
  };
}

/** The cost of a process. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Runs a command to its end. Throws when it fails. */
export function costOf({ argv: [command = '', ...argv], environment }: Caller): Cost {
  const cpuBefore = childCpuMillis();
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, argv, { env: environment, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')}: ${stderr}`);
  return {
    cpuMs: childCpuMillis() - cpuBefore,
    wallMs: Number(process.hrtime.bigint() - started) / 1e6,
  };
}

/** The mean cost of each command, in the order given, over several turns. `prepare` runs before each command. */
export function meanCosts<Name extends string>(
  turns: number,
  callers: Readonly<Record<Name, Caller | undefined>>,
  prepare: () => void = () => {},
): Readonly<Partial<Record<Name, Cost>>> {
  const named = Object.entries(callers) as [Name, Caller | undefined][];
  const totals: Partial<Record<Name, Cost>> = {};
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, caller] of named) {
      if (caller === undefined) continue;
      prepare();
      const { cpuMs, wallMs } = costOf(caller);
      const before = totals[name] ?? { cpuMs: 0, wallMs: 0 };
      totals[name] = { cpuMs: before.cpuMs + cpuMs / turns, wallMs: before.wallMs + wallMs / turns };
    }
  return totals;
}
