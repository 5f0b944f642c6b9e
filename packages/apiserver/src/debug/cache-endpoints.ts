import type { WatchCache } from '@orch/cache';
import { type DebugEndpoint, jsonAnswer, tableText, textAnswer } from '@orch/program';

/** The table of the watch cache, by resource. */
export const cacheTable = (cache: Pick<WatchCache, 'figures'>): DebugEndpoint => ({
  path: '/debug/cache',
  summary: 'Watch cache by resource: revision, objects, bytes, events and watchers.',
  methods: ['GET'],
  answer() {
    const columns = ['Resource', 'Loaded', 'Revision', 'Objects', 'Bytes', 'Events', 'Watchers'];
    const rows = [...cache.figures()]
      .sort((a, b) => (a.resource < b.resource ? -1 : 1))
      .map(({ resource, isLoaded, revision, objects, bytes, events, watchers }) => [
        ...[resource, isLoaded, revision, objects, bytes, events, watchers],
      ]);
    return textAnswer(tableText(columns, rows));
  },
});

/** Compares the watch cache with the store now, as the server does periodically. */
export const cacheComparison = (cache: Pick<WatchCache, 'verify'>): DebugEndpoint => ({
  path: '/debug/cache/compare',
  summary: 'Compares the watch cache with the store now, and repairs what differs.',
  methods: ['POST'],
  async answer({ signal }) {
    const { rev: revision, compared, mismatches } = await cache.verify(signal);
    return jsonAnswer({ revision, compared, mismatches });
  },
});
