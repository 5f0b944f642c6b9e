import { f, type Lens, mapField } from '@orch/schema';
import { HIGHEST_PRIORITY } from './policy.ts';

const preemption = { gate: 'WorkloadAwarePreemption', since: 'never' } as const;

interface Options {
  /** Whether pods are disrupted one by one unless the field is set. */
  readonly hasDefault: boolean;
  readonly immutable: boolean;
}

/** The fields of release 1.36 for the disruption of groups, with consecutive numbers from 5 on. */
export const disruptionFields = ({ hasDefault, immutable }: Options) => ({
  disruptionMode: f.string(5, {
    doc: 'Whether pods are disrupted one by one (Pod) or together (PodGroup).',
    presence: 'pointer',
    enum: ['Pod', 'PodGroup'],
    immutable,
    ...(hasDefault ? { default: 'Pod' } : {}),
    ...preemption,
  }),
  priorityClassName: f.string(6, {
    doc: 'Priority class of the pods of the group.',
    format: 'dns1123subdomain',
    immutable,
    ...preemption,
  }),
  priority: f.int32(7, {
    doc: 'Priority of the group; higher ones come first.',
    presence: 'pointer',
    max: HIGHEST_PRIORITY,
    immutable,
    ...preemption,
  }),
});

const modes: Readonly<Record<string, object | undefined>> = { Pod: { single: {} }, PodGroup: { all: {} } };

/** The mode of disruption is a word here, and a struct in later versions. */
export const modeLens: Lens = mapField('disruptionMode', {
  toHub: (mode) => modes[String(mode)],
  fromHub: (mode) => ('all' in (mode as object) ? 'PodGroup' : 'Pod'),
});
