import type { Release } from '@orch/apis';
import type { Names } from '@orch/machinery';
import type { BootstrapObject } from './bootstrap-object.ts';

interface Queuing {
  readonly queues: number;
  readonly handSize: number;
}

/** A priority level: its share of the concurrency, and its queues. */
interface Level {
  readonly name: string;
  readonly shares: number;
  /** Requests beyond the share are refused when absent. */
  readonly queuing?: Queuing;
  /** Percentage of the share that other levels may borrow. */
  readonly lendable?: number;
  readonly mandatory?: true;
  readonly introduced?: Release;
}

const QUEUE_LENGTH = 50;

const limitedLevels: readonly Level[] = [
  { name: 'catch-all', shares: 5, mandatory: true },
  { name: 'global-default', shares: 20, queuing: { queues: 128, handSize: 6 }, lendable: 50 },
  { name: 'leader-election', shares: 10, queuing: { queues: 16, handSize: 4 } },
  { name: 'node-high', shares: 40, queuing: { queues: 64, handSize: 6 }, lendable: 25, introduced: '1.21' },
  { name: 'system', shares: 30, queuing: { queues: 64, handSize: 6 }, lendable: 33 },
  { name: 'workload-high', shares: 40, queuing: { queues: 128, handSize: 6 }, lendable: 50 },
  { name: 'workload-low', shares: 100, queuing: { queues: 128, handSize: 6 }, lendable: 90 },
];

const responseOf = (queuing: Queuing | undefined): object =>
  queuing === undefined
    ? { type: 'Reject' }
    : { type: 'Queue', queuing: { ...queuing, queueLengthLimit: QUEUE_LENGTH } };

/** Every priority level of a new cluster. */
export function priorityLevels(names: Names, has: (since?: Release) => boolean): readonly BootstrapObject[] {
  const level = (name: string, spec: object, mandatory: boolean): BootstrapObject => ({
    group: 'flowcontrol',
    resource: 'prioritylevelconfigurations',
    name,
    content: {
      kind: 'PriorityLevelConfiguration',
      apiVersion: names.apiVersion('flowcontrol', 'v1beta3'),
      metadata: {},
      spec,
    },
    whenPresent: mandatory ? 'restore' : 'refresh',
  });
  const limited = limitedLevels
    .filter(({ introduced }) => has(introduced))
    .map(({ name, shares, queuing, lendable = 0, mandatory = false }) =>
      level(
        name,
        {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: shares,
            limitResponse: responseOf(queuing),
            ...(lendable > 0 && has('1.26') ? { lendablePercent: lendable } : {}),
          },
        },
        mandatory,
      ),
    );
  const exempt = has('1.28') ? { exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } } : {};
  return [level('exempt', { type: 'Exempt', ...exempt }, true), ...limited];
}
