import type { kinds, Stored } from '@orch/client';

type Service = Stored<kinds.core.Service>;
type Pod = Stored<kinds.core.Pod>;

/** The times of a service, as they were when its slices were decided last. */
interface Seen {
  readonly service: string;
  /** By the name of a pod, when it became ready or unready. */
  readonly pods: ReadonlyMap<string, string>;
}

/** Knows which change of a pod or service leads to a change of slices, so that its delay can be measured. */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** The earliest change since the last call for this key; undefined if none has a time. All of these times have whole seconds. */
  next(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const known = this.#seen.get(key);
    const created = service.metadata.creationTimestamp ?? '';
    const times = new Map(pods.map((pod) => [pod.metadata.name, readyTimeOf(pod)] as const));
    this.#seen.set(key, { service: created, pods: times });
    if (known === undefined) return created === '' ? undefined : created;
    const changes = [...times]
      .filter(([name, time]) => time > (known.pods.get(name) ?? ''))
      .map(([, time]) => time);
    if (created > known.service) changes.push(created);
    return changes.sort()[0];
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}

const readyTimeOf = ({ status }: Pod): string =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '';
