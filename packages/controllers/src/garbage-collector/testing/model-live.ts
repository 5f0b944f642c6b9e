import type { ObjectMeta } from '@orch/machinery';
import type { LiveObjects, MetaChange } from '../live-objects.ts';
import type { ModelObjects } from './model-objects.ts';

export interface ModelChange {
  readonly before: ObjectMeta;
  readonly after: ObjectMeta;
  readonly observed: ReadonlySet<ObjectMeta>;
}

export interface ModelHooks {
  /** Resolves when the simulation proceeds with the request; rejects when it fails the request. */
  readonly step: () => Promise<void>;
  /** Called when a write is processed. */
  readonly onDelete: (meta: ObjectMeta) => void;
  readonly onChange: (change: ModelChange) => void;
  /** The versions of objects that the collector has observed, and bases its decisions on. */
  readonly observed: () => ReadonlySet<ObjectMeta>;
}

/** The model as the live objects of a collector: every request and every response waits for a step. */
export function modelLive(model: ModelObjects, hooks: ModelHooks): LiveObjects {
  const { step } = hooks;
  return {
    async resourceOf(apiVersion, kind) {
      await step();
      return model.resourceOf(apiVersion, kind);
    },
    async get(resource, at) {
      await step();
      const found = model.get(resource, at);
      await step();
      return found;
    },
    async delete(target, policy) {
      await step();
      const current = model.current(target);
      if (typeof current !== 'string') {
        hooks.onDelete(current);
        model.remove({ resource: target.resource, meta: current }, policy);
      }
      await step();
      return typeof current === 'string' ? current : 'deleted';
    },
    async change(target, change) {
      const observed = hooks.observed();
      await step();
      const current = model.current(target);
      if (typeof current === 'string') {
        await step();
        return current;
      }
      hooks.onChange({ before: current, after: { ...current, ...fieldsOf(change) }, observed });
      const changed = model.edit(target, fieldsOf(change));
      await step();
      return changed ?? 'gone';
    },
  };
}

const fieldsOf = ({ finalizers, ownerReferences }: MetaChange): Partial<ObjectMeta> => ({
  ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
  ...(ownerReferences === undefined ? {} : { ownerReferences: [...ownerReferences] }),
});
