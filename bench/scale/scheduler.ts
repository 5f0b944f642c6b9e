import { unlessGone } from './latencies.ts';
import { type LoadContext, nodeName, pause, unaborted } from './load.ts';

/** The pods that agents handle: when the binding of each was answered, and what has begun for it. */
export class BoundPods {
  readonly #at = new Map<string, number>();
  readonly #starting = new Set<string>();
  readonly #ending = new Set<string>();

  bound(uid: string): void {
    if (!this.#starting.has(uid)) this.#at.set(uid, performance.now());
  }

  /** The time since the answer; 0 for an event that came before it. */
  arrived(uid: string): number {
    const at = this.#at.get(uid);
    this.#at.delete(uid);
    return at === undefined ? 0 : performance.now() - at;
  }

  /** Whether a pod is started by this call, because several of its events may arrive meanwhile. */
  isStarting(uid: string): boolean {
    if (this.#starting.has(uid)) return false;
    this.#starting.add(uid);
    return true;
  }

  /** Whether a pod is ended by this call. */
  isEnding(uid: string): boolean {
    this.#starting.delete(uid);
    if (this.#ending.has(uid)) return false;
    this.#ending.add(uid);
    return true;
  }
}

/** Binds every pod without a node to the next one. */
export async function runScheduler(
  { userClient, latencies, options }: LoadContext,
  bound: BoundPods,
): Promise<void> {
  const { pods } = userClient(0).client.core.v1;
  let next = 0;
  const bind = async (name: string, namespace: string, uid: string): Promise<void> => {
    const target = { apiVersion: 'v1', kind: 'Node', name: nodeName(next++ % options.nodes) };
    const binding = pods.in(namespace).subresource('binding');
    await latencies.time('create pods/binding', async () => {
      await binding.create(name, { metadata: { name, uid }, target }).catch(unlessGone);
      bound.bound(uid);
    });
  };
  for (;;) {
    try {
      const selection = { fieldSelector: { 'spec.nodeName': '' }, allowBookmarks: true };
      for await (const { type, object } of pods.watch(selection, unaborted())) {
        const { name = '', namespace = '', uid = '' } = object.metadata ?? {};
        if (type === 'ADDED') void bind(name, namespace, uid);
      }
    } catch {
      await pause(1000);
    }
  }
}
