import { type LoadContext, nodeName, pause } from './load.ts';

/** When the binding of each pod was answered, so that the delay of its watch event is known. */
export class BoundPods {
  readonly #at = new Map<string, number>();

  bound(uid: string): void {
    this.#at.set(uid, performance.now());
  }

  /** The time since the answer; 0 for an event that came before it. Undefined for a pod that was bound before the measurement. */
  arrived(uid: string): number | undefined {
    const at = this.#at.get(uid);
    this.#at.delete(uid);
    return at === undefined ? undefined : performance.now() - at;
  }
}

/** Binds every pod without a node to the next one. */
export async function runScheduler(
  { clientOf, latencies, options, signal }: LoadContext,
  bound: BoundPods,
): Promise<void> {
  const { pods } = clientOf(options.nodes).core.v1;
  let next = 0;
  const bind = async (name: string, namespace: string, uid: string): Promise<void> => {
    const target = { apiVersion: 'v1', kind: 'Node', name: nodeName(next++ % options.nodes) };
    const binding = pods.in(namespace).subresource('binding');
    await latencies.time('create pods/binding', signal, async () => {
      await binding.create(name, { metadata: { name }, target });
      bound.bound(uid);
    });
  };
  while (!signal.aborted) {
    try {
      const changes = pods.watch({ fieldSelector: { 'spec.nodeName': '' }, allowBookmarks: true }, signal);
      for await (const { type, object } of changes) {
        const { name = '', namespace = '', uid = '' } = object.metadata ?? {};
        if (type === 'ADDED') void bind(name, namespace, uid);
      }
    } catch {
      await pause(1000, signal);
    }
  }
}
