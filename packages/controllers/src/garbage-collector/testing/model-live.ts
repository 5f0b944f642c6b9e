import type { ObjectMeta } from '@orch/machinery';
import type { LiveObjects, MetaChange } from '../live-objects.ts';
import type { ModelObjects } from './model-objects.ts';

export interface ModelHooks {
  /** Waits for its turn; the simulation decides whose turn it is. Rejects when the request is to fail. */
  readonly turn: () => Promise<void>;
  /** Called at the moment at which a write is carried out. */
  readonly onDelete: (meta: ObjectMeta) => void;
  readonly onChange: (before: ObjectMeta, after: ObjectMeta, seen: ReadonlySet<ObjectMeta>) => void;
  /** The states of objects that the collector has been told of: what it decides by. */
  readonly seen: () => ReadonlySet<ObjectMeta>;
}

/** The model as a collector has it: every request, and every answer, waits for its turn. */
export function modelLive(model: ModelObjects, hooks: ModelHooks): LiveObjects {
  const { turn } = hooks;
  return {
    async resourceOf(apiVersion, kind) {
      await turn();
      return model.resourceOf(apiVersion, kind);
    },
    async get(resource, at) {
      await turn();
      const found = model.get(resource, at);
      await turn();
      return found;
    },
    async delete(target, policy) {
      await turn();
      const current = model.current(target);
      if (typeof current !== 'string') {
        hooks.onDelete(current);
        model.remove({ resource: target.resource, meta: current }, policy);
      }
      await turn();
      return typeof current === 'string' ? current : 'deleted';
    },
    async change(target, change) {
      const seen = hooks.seen();
      await turn();
      const current = model.current(target);
      if (typeof current === 'string') {
        await turn();
        return current;
      }
      hooks.onChange(current, { ...current, ...membersOf(change) }, seen);
      const answer = model.edit(target, membersOf(change));
      await turn();
      return answer ?? 'gone';
    },
  };
}

const membersOf = ({ finalizers, ownerReferences }: MetaChange): Partial<ObjectMeta> => ({
  ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
  ...(ownerReferences === undefined ? {} : { ownerReferences: [...ownerReferences] }),
});
