import { createHash } from 'node:crypto';
import { formatTime } from '@orch/machinery';
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

/** Something that a service has and should not. */
export interface Reported {
  readonly user: User;
  readonly kind: keyof typeof reasons;
  readonly finding: keyof typeof texts;
  readonly value: string;
}

/** Tells the owners of a service what is wrong with it, by an event that is made anew when the last one has expired. */
export async function reportFinding(
  context: ServerContext,
  { user, kind, finding, value }: Reported,
  signal: AbortSignal,
): Promise<void> {
  const events = context.objects.resource('', 'events');
  if (events === undefined) return;
  const { namespace, name, uid } = user;
  const now = formatTime(context.env.clock.now());
  const component = context.names.programs.apiserver;
  // The same finding has the same name: it is told once at a time, whoever finds it.
  const id = createHash('sha256').update(`${uid} ${kind} ${finding} ${value}`).digest('hex').slice(0, 16);
  await events.create(
    { namespace, name: `${name}.${id}` },
    {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: {},
      involvedObject: { kind: 'Service', namespace, name, uid, apiVersion: 'v1' },
      reason: reasons[kind][finding],
      message: texts[finding](value),
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
