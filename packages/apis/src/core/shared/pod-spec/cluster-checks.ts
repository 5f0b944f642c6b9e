import type { Check, StructSchema } from '@orch/schema';
import { SecurityContext } from './security.ts';
import { PodSpec } from './spec.ts';
import { checkNoHostProcess } from './validation/host-process.ts';
import { checkUnprivileged } from './validation/security.ts';

/** The settings by the administrator for all pods and pod templates. */
export interface ClusterRules {
  readonly allowPrivileged: boolean;
}

const none: readonly Check[] = [];
const unprivileged: ReadonlyMap<string, readonly Check[]> = new Map([
  [SecurityContext.name, [checkUnprivileged]],
  [PodSpec.name, [checkNoHostProcess]],
]);

/** The checks of a struct in addition to those that it declares. */
export const clusterChecks =
  ({ allowPrivileged }: ClusterRules) =>
  ({ name }: StructSchema): readonly Check[] =>
    allowPrivileged ? none : (unprivileged.get(name) ?? none);
