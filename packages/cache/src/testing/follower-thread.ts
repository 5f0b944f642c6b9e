/** The program of a thread that follows a watch cache, and checks all that it reads. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { settle } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import type { WatchItem } from '../types.ts';
import { createWatchCache } from '../watch-cache.ts';
import { everything, PREFIX, podsResource } from './fixture.ts';
import { isWhole } from './whole-pods.ts';

/** A request of the test: the state at a revision. */
export interface StateRequest {
  readonly rev: number;
}

export interface StateAnswer {
  readonly state: readonly (readonly [key: string, rev: number])[];
  /** Violations so far. */
  readonly wrong: readonly string[];
  /** Events so far, and watches that have ended. */
  readonly events: number;
  readonly ended: number;
}

/** Views that are checked again later: nothing may be written over the bytes that they show. */
const KEPT_VIEWS = 64;

if (parentPort === null) throw new TypeError('must be started as a thread');
const test = parentPort;
const { followed } = workerData as { readonly followed: MessagePort };
const env = { ...systemEnv(), log: silentLogger };
const { signal } = new AbortController();
const cache = createWatchCache({
  store: new ModelStore(env),
  prefix: PREFIX,
  resources: [podsResource()],
  env,
  // The store of this thread never has events: a watch that has fallen behind ends after so much silence, and begins again.
  options: { digestMs: 0, historyBytes: 256 * 1024, retryMs: 1, silenceMs: 100 },
  followed,
});
const wrong: string[] = [];
const views: { readonly view: Buffer; readonly text: string }[] = [];
let events = 0;
let ended = 0;
/** The revision that the watch has reached. */
let last = 0;

function check(item: WatchItem, after: number): void {
  if (item.rev <= after) wrong.push(`revision ${item.rev} after ${after}`);
  if (item.type === 'BOOKMARK' || item.type === 'DELETED') return;
  const view = item.object.json();
  const text = view.toString();
  if (!isWhole(text, item.object.key, item.rev))
    wrong.push(`${item.object.key} at ${item.rev}: ${text.slice(0, 200)}`);
  const kept = views[item.rev % KEPT_VIEWS];
  if (kept !== undefined && kept.view.toString() !== kept.text)
    wrong.push(`a view has changed: ${kept.text.slice(0, 200)}`);
  views[item.rev % KEPT_VIEWS] = { view, text };
}

/** Every event in order and without a gap: each key continues from the revision that the watch has seen last. */
async function watch(): Promise<void> {
  const pods = cache.resource('pods');
  if (pods === undefined) throw new TypeError('pods are not cached');
  last = cache.revision();
  await pods.watch(
    { scope: { prefix: '' }, filter: everything, bookmarks: true, start: { kind: 'after', rev: last } },
    {
      deliver(items) {
        for (const item of items) {
          check(item, last);
          last = item.rev;
          if (item.type !== 'BOOKMARK') events++;
        }
        return true;
      },
      end() {
        ended++;
        void watch();
      },
    },
    signal,
  );
}

async function answer({ rev }: StateRequest): Promise<StateAnswer> {
  const pods = cache.resource('pods');
  await pods?.waitFresh({ kind: 'notOlderThan', rev }, signal);
  // Watchers receive events in the tick after their arrival.
  while (last < rev) await settle();
  const page = await pods?.list({ scope: { prefix: '' }, filter: everything }, signal);
  const objects = page?.objects ?? [];
  for (const object of objects)
    if (!isWhole(object.json().toString(), object.key, object.rev)) wrong.push(`${object.key} in the state`);
  return { state: objects.map(({ key, rev: at }) => [key, at] as const), wrong, events, ended };
}

void cache.run(signal);
await cache.ready(signal);
await watch();
test.on('message', (request: StateRequest) => void answer(request).then((found) => test.postMessage(found)));
test.postMessage('ready');
