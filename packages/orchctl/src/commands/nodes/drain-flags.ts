import { durationFlag, switchFlag, textFlag, wholeFlag } from '@orch/program/flags';
import { selectorFlags } from '../../cli/flag-sets.ts';
import { writeFlags } from '../../cli/write-flags.ts';

const section = 'Flags';

export const drainFlags = {
  selector: selectorFlags.selector,
  dryRun: writeFlags.dryRun,
  chunkSize: wholeFlag({ name: 'chunk-size', help: 'Pods are read in chunks of this many.', section }, 500, {
    least: 0,
    most: 100_000,
  }),
  deleteEmptyDirData: switchFlag({
    name: 'delete-emptydir-data',
    alias: 'delete-local-data',
    help: 'Delete pods with emptyDir volumes, whose data is lost.',
    section,
  }),
  disableEviction: switchFlag({
    name: 'disable-eviction',
    help: 'Delete pods instead of evicting them. Disruption budgets are then ignored.',
    section,
  }),
  force: switchFlag({ name: 'force', help: 'Delete pods without a controller, too.', section }),
  gracePeriod: wholeFlag(
    {
      name: 'grace-period',
      help: 'Seconds that a pod has to terminate; -1 is the value of the pod.',
      section,
    },
    -1,
    { least: -1, most: 2 ** 31 - 1 },
  ),
  ignoreDaemonSets: switchFlag({
    name: 'ignore-daemonsets',
    help: 'Ignore pods of daemon sets, which would be created again.',
    section,
  }),
  podSelector: textFlag({ name: 'pod-selector', help: 'Label selector of the pods to delete.', section }),
  skipWaitForDeleteTimeout: wholeFlag(
    {
      name: 'skip-wait-for-delete-timeout',
      help: 'Do not wait for pods that have been in deletion for more seconds than this.',
      section,
    },
    0,
    { least: 0, most: 2 ** 31 - 1 },
  ),
  timeoutMs: durationFlag(
    { name: 'timeout', help: 'How long to wait for the pods of a node; 0 is without a limit.', section },
    0,
  ),
} as const;
