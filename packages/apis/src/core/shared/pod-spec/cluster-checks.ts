import type { Check, StructSchema } from '@orch/schema';
import { SecurityContext } from './security.ts';
import { checkUnprivileged } from './validation/security.ts';

/** What the administrator permits in all pods and templates of pods. */
export interface ClusterRules {
  readonly allowPrivileged: boolean;
}

const none: readonly Check[] = [];
const unprivileged: readonly Check[] = [checkUnprivileged];

/** The checks of a struct in addition to those that it declares. */
export const clusterChecks =
  ({ allowPrivileged }: ClusterRules) =>
  ({ name }: StructSchema): readonly Check[] =>
    !allowPrivileged && name === SecurityContext.name ? unprivileged : none;
