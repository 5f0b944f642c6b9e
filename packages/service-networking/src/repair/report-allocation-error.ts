import { createHash } from 'node:crypto';
import { formatTime } from '@orch/machinery/time';
import type { ServerContext } from '@orch/registry';
import type { User } from './repair-plan.ts';

const reasons = {
  addresses: { duplicate: 'ClusterIPAlreadyAllocated', outOfRange: 'ClusterIPOutOfRange' },
  ports: { duplicate: 'PortAlreadyAllocated', outOfRange: 'PortOutOfRange' },
} as const;

const texts = {
  duplicate: (value: string) => `${value} was assigned to several services; please recreate this one`,
  outOfRange: (value: string) => `${value} is not within any configured range; please recreate the service`,
} as const;

/** An allocation error that only the owner of the service can correct. */
export interface AllocationErrorReport {
  readonly user: User;
  readonly kind: keyof typeof reasons;
  readonly errorType: keyof typeof texts;
  readonly value: string;
}

/** Reports an allocation error as an event of the service; a new event is created when the previous one has expired. */
export async function reportAllocationError(
  context: ServerContext,
  { user, kind, errorType, value }: AllocationErrorReport,
  signal: AbortSignal,
): Promise<void> {
  const events = context.objects.resource('', 'events');
  if (events === undefined) return;
  const { namespace, name, uid } = user;
  const now = formatTime(context.env.clock.now());
  const component = context.names.programs.apiserver;
  // The name depends on the error only, so that all replicas report it as one event.
  const id = createHash('sha256').update(`${uid} ${kind} ${errorType} ${value}`).digest('hex').slice(0, 16);
  await events.create(
    { namespace, name: `${name}.${id}` },
    {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: {},
      involvedObject: { kind: 'Service', namespace, name, uid, apiVersion: 'v1' },
      reason: reasons[kind][errorType],
      message: texts[errorType](value),
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type: 'Warning',
      reportingComponent: component,
    },
    signal,
  );
}
