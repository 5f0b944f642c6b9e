import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  builtinResources,
  createClient,
  createInformer,
  type Informer,
  type Transport,
  type TransportRequest,
} from '@orch/client';
import { poll } from '@orch/machinery/testing';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';
import type { Fault, FaultRule } from './fault.ts';
import { FaultyTransport } from './faulty-transport.ts';

const SEEDED = 20;
const DEADLINE_MS = 60_000;

const seed = Array.from({ length: SEEDED }, (_, index) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `seed-${String(index).padStart(2, '0')}`, labels: { of: 'the-seed' } },
}));
const names = seed.map(({ metadata }) => metadata.name);

interface Watching extends AsyncDisposable {
  readonly informer: Informer;
  readonly streaming: { enabled: boolean };
  /** The objects that were added, in order. */
  readonly added: readonly string[];
  /** `initial`, `list` and `watch`, as they were sent. */
  readonly steps: readonly string[];
}

/** An informer of the seed whose requests pass a transport. */
function watching(plane: ControlPlane, through: (transport: Transport) => Transport): Watching {
  const [steps, added]: [string[], string[]] = [[], []];
  const { transport } = plane.config;
  const noting: Transport = {
    send(request, signal) {
      steps.push(stepOf(request));
      return transport.send(request, signal);
    },
    reset: (reason) => transport.reset(reason),
    close: async () => undefined,
  };
  const client = createClient({ ...plane.config, transport: through(noting) });
  const streaming = { enabled: true };
  const informer = createInformer(
    { client, env: plane.config.env, streaming },
    builtinResources(client.names).core.v1.configmaps,
    { labelSelector: 'of=the-seed' },
  );
  informer.subscribe(({ type, object }) => void added.push(type === 'added' ? object.metadata.name : type));
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  return {
    ...{ informer, streaming, added, steps },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

function stepOf({ target }: TransportRequest): string {
  if (!target.includes('watch=')) return 'list';
  return target.includes('sendInitialEvents') ? 'initial' : 'watch';
}

/** A transport whose first watch has a fault. */
const faulty =
  ({ config }: ControlPlane, fault: Fault) =>
  (transport: Transport): Transport => {
    const rule: FaultRule = ({ verb, occurrence }) =>
      verb === 'watch' && occurrence === 0 ? fault : undefined;
    const { clock } = config.env;
    const hold = () => () => undefined;
    return new FaultyTransport(transport, {
      ...{ clock, rule, hold },
      jump: async () => undefined,
      onFault: () => undefined,
    });
  };

/** A transport for which the server does not mark the end of initial events. */
const unmarked = (transport: Transport): Transport => ({
  async send(request, signal) {
    const answer = await transport.send(request, signal);
    return stepOf(request) === 'initial' ? { ...answer, body: withoutBookmarks(answer.body) } : answer;
  },
  reset: (reason) => transport.reset(reason),
  close: () => transport.close(),
});

async function* withoutBookmarks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    const lines = Buffer.from(chunk)
      .toString('utf8')
      .split(/(?<=\n)/);
    yield Buffer.from(lines.filter((line) => !line.includes('"BOOKMARK"')).join(''));
  }
}

for (const options of [
  {},
  { naming: 'kubernetes', emulatedVersion: '1.24' },
  { naming: 'kubernetes', emulatedVersion: 'latest' },
] as const) {
  const { emulatedVersion = 'the default' } = options;
  describe(`streaming lists of a server that emulates ${emulatedVersion}`, () => {
    let plane: ControlPlane;
    before(async () => {
      plane = await startControlPlane({ ...options, seed, port: false });
    });
    after(() => plane.stop());

    const isComplete = async (test: Watching): Promise<void> => {
      await poll('the informer has the state', DEADLINE_MS, () => test.informer.hasSynced);
      assert.deepEqual(test.added.toSorted(), names);
      assert.equal(test.informer.store.size, SEEDED);
    };

    it('an informer reads its state and the changes after it from one watch', async () => {
      await using test = watching(plane, (transport) => transport);
      await isComplete(test);
      assert.deepEqual(test.steps, ['initial']);
      const client = createClient(plane.config);
      const maps = client.resource(test.informer.resource, 'default');
      await maps.patch.merge('seed-00', { metadata: { annotations: { a: 'b' } } });
      await poll('the change arrives', DEADLINE_MS, () => test.added.at(-1) === 'updated');
      assert.deepEqual(test.steps, ['initial']);
    });

    for (const [title, fault] of [
      ['whose connection is cut among the initial events', { kind: 'cut', events: 7 }],
      ['whose version has expired', { kind: 'compacted' }],
      ['that ends before the first event', { kind: 'bookmarksOnly' }],
      ['that the server fails', { kind: 'error', code: 500 }],
    ] as const) {
      it(`an informer reads a list after a watch ${title}, and delivers each object once`, async () => {
        await using test = watching(plane, faulty(plane, fault));
        await isComplete(test);
        assert.deepEqual(test.steps.slice(-2), ['list', 'watch']);
        assert.equal(test.streaming.enabled, true);
      });
    }

    it('an informer reads lists from a server that does not mark the end of initial events', async () => {
      await using test = watching(plane, unmarked);
      await poll('the watch is open', DEADLINE_MS, () => test.steps.length === 1);
      await poll('the informer stops waiting', DEADLINE_MS, async () => {
        await plane.advance(10_000);
        return test.informer.hasSynced;
      });
      await isComplete(test);
      assert.equal(test.streaming.enabled, false);
    });
  });
}
