import { join } from 'node:path';
import { orchFlags } from '@orch/orch/parts';
import { type FlagValues, flagValues, splitCommandLine } from '@orch/program';
import type { ControlPlaneOptions } from './options.ts';
import { checkFlags } from './refused-flags.ts';
import { workloadsOf } from './workloads/workload-options.ts';

export type PlaneFlags = FlagValues<typeof orchFlags>;

/** Longer than any test. */
const HISTORY = '24h';

/** Where the files of a server are. */
export interface PlaneFolders {
  readonly folder: string;
  readonly certificates: string;
}

/** The flags of `orch up` for a test control plane. Throws `UsageError`. */
export function flagsOf(options: ControlPlaneOptions, { folder, certificates }: PlaneFolders): PlaneFlags {
  const { naming, emulatedVersion = 'latest', controllers, admission = {}, flags = [] } = options;
  checkFlags(flags);
  const argv = [
    '--secure-port=0',
    '--ops-bind-address=',
    `--cert-dir=${certificates}`,
    `--data-dir=${join(folder, 'data')}`,
    `--admin-config=${join(folder, 'admin.conf')}`,
    '--storage-backend=embedded',
    `--history-retention=${HISTORY}`,
    // The entry of a server is renewed all the time, and differs in forks. Nothing in a test is routed to it.
    '--endpoint-reconciler-type=none',
    ...given('naming', naming),
    `--emulated-version=${emulatedVersion}`,
    ...listed('controllers', controllersOf(options)),
    ...listed('enable-admission-plugins', admission.enable ?? []),
    ...listed('disable-admission-plugins', [
      ...(admission.disable ?? []),
      // Pods need an account, which only a controller makes.
      ...(controllers === false ? ['ServiceAccount'] : []),
    ]),
    ...flags,
  ];
  return flagValues(orchFlags, splitCommandLine(orchFlags, argv).given);
}

/** The value of `--controllers`; empty for the default. */
function controllersOf(options: ControlPlaneOptions): readonly string[] {
  const { controllers = true } = options;
  const workloads = workloadsOf(options)?.controllers ?? [];
  if (typeof controllers !== 'boolean') return [...controllers, ...workloads];
  return controllers && workloads.length > 0 ? ['*', ...workloads] : workloads;
}

const given = (flag: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [`--${flag}=${value}`];

const listed = (flag: string, values: readonly string[]): readonly string[] =>
  values.length === 0 ? [] : [`--${flag}=${values.join(',')}`];
