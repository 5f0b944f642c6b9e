import type { ResourceCache, WatchCache, WatchItem, WatchSink } from '@orch/cache';
import { every, type PlantedDefect, replaceMethod } from './planted-defect.ts';

/** The cache of config maps of a replica. */
function configMapsOf(cache: WatchCache): ResourceCache {
  const found = cache.resource('configmaps');
  if (found === undefined) throw new Error('config maps are not cached');
  return found;
}

/** Replaces what watches of config maps deliver. */
const delivering =
  (alter: (items: readonly WatchItem[]) => readonly WatchItem[]) =>
  (cache: WatchCache): void => {
    replaceMethod(
      configMapsOf(cache),
      'watch',
      (original) =>
        function (this: ResourceCache, query, sink, signal) {
          const altered: WatchSink = {
            deliver: (items) => sink.deliver(alter(items)),
            end: (reason) => sink.end(reason),
          };
          return original.call(this, query, altered, signal);
        },
    );
  };

export const cacheDefects: readonly PlantedDefect[] = [
  {
    what: 'cache: a read does not wait for the newest revision',
    make: () => ({
      cache(cache) {
        const maps = configMapsOf(cache);
        replaceMethod(maps, 'isFresh', () => () => true);
        replaceMethod(maps, 'waitFresh', () => async () => undefined);
        replaceMethod(maps, 'whenMostRecent', () => async () => undefined);
      },
    }),
  },
  {
    what: 'cache: a watch resumes one revision late',
    make: () => ({
      cache: (cache) =>
        void replaceMethod(
          configMapsOf(cache),
          'watch',
          (original) =>
            function (this: ResourceCache, query, sink, signal) {
              const { start } = query;
              const late = start.kind === 'after' ? { ...start, rev: start.rev + 1 } : start;
              return original.call(this, { ...query, start: late }, sink, signal);
            },
        ),
    }),
  },
  {
    what: 'cache: a watch omits one of ten events',
    make: () => {
      const isLost = every(10);
      return { cache: delivering((items) => items.filter(({ type }) => type === 'BOOKMARK' || !isLost())) };
    },
  },
  {
    what: 'cache: events that are delivered together are in reverse order',
    make: () => ({ cache: delivering((items) => items.toReversed()) }),
  },
  {
    what: 'cache: a bookmark is five revisions ahead',
    make: () => ({
      cache: delivering((items) =>
        items.map((item) => (item.type === 'BOOKMARK' ? { ...item, rev: item.rev + 5 } : item)),
      ),
    }),
  },
  {
    what: 'cache: a list omits its last object',
    make: () => ({
      cache: (cache) =>
        void replaceMethod(
          configMapsOf(cache),
          'list',
          (original) =>
            function (this: ResourceCache, query, signal) {
              const page = original.call(this, query, signal);
              return page instanceof Promise ? page : { ...page, objects: page.objects.slice(0, -1) };
            },
        ),
    }),
  },
];
