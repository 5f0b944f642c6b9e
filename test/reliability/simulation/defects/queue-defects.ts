import { WorkQueue } from '@orch/client';
import { every, type PlantedDefect, replaceMethod } from './planted-defect.ts';

type Queue = WorkQueue<unknown>;

const prototype: Queue = WorkQueue.prototype;

export const queueDefects: readonly PlantedDefect[] = [
  {
    what: 'queue: a key that is added while it is processed is forgotten',
    make: () => ({
      plant: () => {
        const working = new WeakMap<Queue, Set<unknown>>();
        const restore = [
          replaceMethod(
            prototype,
            'next',
            (original) =>
              async function (this: Queue, signal) {
                const key = await original.call(this, signal);
                working.set(this, (working.get(this) ?? new Set()).add(key));
                return key;
              },
          ),
          replaceMethod(
            prototype,
            'done',
            (original) =>
              function (this: Queue, key) {
                working.get(this)?.delete(key);
                original.call(this, key);
              },
          ),
          replaceMethod(
            prototype,
            'add',
            (original) =>
              function (this: Queue, key) {
                return working.get(this)?.has(key) === true || original.call(this, key);
              },
          ),
        ];
        return () => {
          for (const one of restore) one();
        };
      },
    }),
  },
  {
    what: 'queue: a key is processed twice at once',
    make: () => ({
      plant: () =>
        replaceMethod(
          prototype,
          'next',
          (original) =>
            async function (this: Queue, signal) {
              const key = await original.call(this, signal);
              this.done(key);
              return key;
            },
        ),
    }),
  },
  {
    what: 'queue: a key that failed is not processed again',
    make: () => ({ plant: () => replaceMethod(prototype, 'addRateLimited', () => () => true) }),
  },
  {
    what: 'queue: one of five keys is not added',
    make: () => ({
      plant: () => {
        const isLost = every(5);
        return replaceMethod(
          prototype,
          'add',
          (original) =>
            function (this: Queue, key) {
              return isLost() || original.call(this, key);
            },
        );
      },
    }),
  },
];
