import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type kinds, namesFor, type Stored } from '@orch/client';
import { seededRandom } from '@orch/machinery/testing';
import { metaOf, nowText, podWith } from '../testing/workloads.ts';
import { decideSlices, MAX_ENDPOINTS, type SliceDecision } from './decide.ts';
import { endpointOf, portsOf } from './endpoints.ts';

type Pod = Stored<kinds.core.Pod>;
type Slice = Stored<kinds.discovery.EndpointSlice>;

const SEEDS = 100;
const names = namesFor('kubernetes');
const service = (spec: Partial<kinds.core.ServiceSpec> = {}): Stored<kinds.core.Service> => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metaOf('web', { labels: { tier: 'front' } }),
  spec: { ports: [{ port: 80, targetPort: 'http' }], selector: { app: 'web' }, ...spec },
});
const pod = (name: string, { port = 8080, isReady = true, ip = `10.0.0.${name}` } = {}): Pod => {
  const base = podWith(name, { isReady });
  const containers = [{ name: 'main', ports: [{ name: 'http', containerPort: port }] }];
  return {
    ...base,
    spec: { containers, nodeName: 'node' },
    status: { ...base.status, podIP: ip, podIPs: [{ ip }] },
  };
};

describe('the endpoint of a pod', () => {
  const ending = (isReady: boolean): Pod => {
    const one = pod('1', { isReady });
    return { ...one, metadata: { ...one.metadata, deletionTimestamp: nowText } };
  };
  for (const [title, given, spec, expected] of [
    ['is ready when the pod is', pod('1'), {}, [true, true, false]],
    ['is not ready before the pod is', pod('1', { isReady: false }), {}, [false, false, false]],
    ['serves until the pod has ended', ending(true), {}, [false, true, true]],
    [
      'is ready before the pod on request, and does not serve',
      pod('1', { isReady: false }),
      { publishNotReadyAddresses: true },
      [true, false, false],
    ],
  ] as const)
    it(`the endpoint of a pod ${title}`, () => {
      const { ready, serving, terminating } = endpointOf(given, service(spec), 'IPv4')?.conditions ?? {};
      assert.deepEqual([ready, serving, terminating], expected);
    });

  it('a pod without an address of the type, or that has ended, has no endpoint', () => {
    const ended = { ...pod('1'), status: { phase: 'Succeeded', podIP: '10.0.0.1' } };
    assert.deepEqual(
      [
        endpointOf(pod('1'), service(), 'IPv6'),
        endpointOf(ended, service(), 'IPv4'),
        endpointOf(podWith('1'), service(), 'IPv4'),
      ],
      [undefined, undefined, undefined],
    );
  });

  it('a named port may be one of an init container that keeps running', () => {
    const ports = [{ name: 'http', containerPort: 8081 }];
    const withInit = (restartPolicy?: string): Pod => ({
      ...podWith('1'),
      spec: {
        containers: [{ name: 'main' }],
        initContainers: [{ name: 'proxy', ports, ...(restartPolicy !== undefined && { restartPolicy }) }],
      },
    });
    assert.deepEqual(
      [withInit('Always'), withInit()].map((one) => portsOf(service(), one).map(({ port }) => port)),
      [[8081], []],
    );
  });

  it('a named port has the number that the container of the pod gives it', () => {
    assert.deepEqual(portsOf(service(), pod('1', { port: 9090 })), [
      { name: '', protocol: 'TCP', port: 9090 },
    ]);
    assert.deepEqual(portsOf(service(), podWith('1')), [], 'no container has it');
    assert.deepEqual(portsOf(service({ ports: [{ name: 'a', port: 53, protocol: 'UDP' }] }), pod('1')), [
      { name: 'a', protocol: 'UDP', port: 53 },
    ]);
  });
});

describe('the endpoint of a pod on a node with a zone', () => {
  const hintsOf = (spec: Partial<kinds.core.ServiceSpec>, isReady = true, annotations = {}) => {
    const base = service(spec);
    const { create } = decideSlices({
      service: { ...base, metadata: { ...base.metadata, annotations } },
      pods: [pod('1', { isReady })],
      slices: [],
      names,
      zones: new Map([['node', 'east']]),
    });
    const [{ zone, hints } = {}] = create[0]?.endpoints ?? [];
    return [zone, hints];
  };
  for (const [title, given, expected] of [
    ['names the zone', hintsOf({}), ['east', undefined]],
    [
      'is for clients of the zone when the service prefers those',
      hintsOf({ trafficDistribution: 'PreferClose' }),
      ['east', { forZones: [{ name: 'east' }] }],
    ],
    [
      'is for clients on the node when the service prefers those',
      hintsOf({ trafficDistribution: 'PreferSameNode' }),
      ['east', { forZones: [{ name: 'east' }], forNodes: [{ name: 'node' }] }],
    ],
    [
      'has no hints before the pod is ready',
      hintsOf({ trafficDistribution: 'PreferSameZone' }, false),
      ['east', undefined],
    ],
    [
      'has no hints when an annotation of the service asks for other ones',
      hintsOf({ trafficDistribution: 'PreferClose' }, true, { [names.annotations.topologyMode]: 'Auto' }),
      ['east', undefined],
    ],
  ] as const)
    it(`the endpoint of a pod on a node with a zone ${title}`, () => assert.deepEqual(given, expected));
});

/** The slices after a decision. */
function applied(
  slices: readonly Slice[],
  { create, update, remove }: SliceDecision,
  made: { count: number },
): Slice[] {
  const gone = new Set(remove.map(({ metadata }) => metadata.uid));
  const kept = slices
    .filter(({ metadata }) => !gone.has(metadata.uid))
    .map((slice) => update.find(({ metadata }) => metadata.uid === slice.metadata.uid) ?? slice);
  const added = create.map((slice) => ({
    ...slice,
    apiVersion: '',
    kind: '',
    metadata: { ...metaOf(`slice-${made.count++}`), labels: slice.metadata.labels ?? {} },
  }));
  return [...kept, ...added];
}

const addressesOf = (slices: readonly Slice[]): readonly string[] =>
  slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses)).sort();

describe('the slices of a service', () => {
  const decide = (pods: readonly Pod[], slices: readonly Slice[] = []) =>
    decideSlices({ service: service(), pods, slices, names });

  it('a service without pods has one empty slice', () => {
    const { create } = decide([]);
    assert.deepEqual(
      create.map(({ endpoints }) => endpoints),
      [[]],
    );
    assert.equal(create[0]?.metadata.labels?.[names.labels.serviceName], 'web');
    assert.equal(create[0]?.metadata.labels?.['tier'], 'front');
    assert.equal(create[0]?.metadata.generateName, 'web-');
  });

  it('pods with other port numbers are in other slices', () => {
    const { create } = decide([pod('1'), pod('2', { port: 9090 }), pod('3')]);
    assert.deepEqual(
      create.map(({ endpoints }) => endpoints?.length),
      [2, 1],
    );
  });

  it('a full slice is followed by another', () => {
    const pods = Array.from({ length: 250 }, (_, i) => pod(String(i)));
    assert.deepEqual(
      decide(pods).create.map(({ endpoints }) => endpoints?.length),
      [100, 100, 50],
    );
  });

  const timeKey = names.annotations.endpointsLastChangeTriggerTime;
  it('the first endpoints of a service, and those of another port, replace those of a slice that stays', () => {
    const made = { count: 0 };
    const empty = applied([], decide([]), made);
    const [kept] = empty;
    const first = decideSlices({
      service: service(),
      pods: [pod('1')],
      slices: empty,
      names,
      triggerTime: nowText,
    });
    assert.deepEqual([first.create, first.remove], [[], []]);
    const [filled] = first.update;
    assert.equal(filled?.metadata.uid, kept?.metadata.uid);
    assert.equal(filled?.metadata.annotations?.[timeKey], nowText);
    const second = decide([pod('1', { port: 9090 })], applied(empty, first, made));
    assert.deepEqual([second.create, second.remove], [[], []]);
    const [moved] = second.update;
    assert.deepEqual([moved?.metadata.uid, moved?.ports?.[0]?.port], [kept?.metadata.uid, 9090]);
    assert.equal(moved?.metadata.annotations?.[timeKey], undefined, 'no time is known');
  });

  it(`the slices always contain exactly the endpoints, and unchanged slices are not written (${SEEDS} seeds)`, () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seededRandom(seed);
      const made = { count: 0 };
      let slices: Slice[] = [];
      let pods: Pod[] = [];
      for (let step = 0; step < 12; step++) {
        pods = pods.filter(() => random.int(4) > 0);
        for (let added = random.int(120); added > 0; added--) {
          const name = `${step}-${added}`;
          pods.push(
            pod(name, {
              ip: `10.1.${step}.${added}`,
              port: 8080 + random.int(2),
              isReady: random.int(2) === 0,
            }),
          );
        }
        const decision = decide(pods, slices);
        slices = applied(slices, decision, made);
        const wanted = pods.map(({ status }) => status?.podIP ?? '').sort();
        assert.deepEqual(addressesOf(slices), wanted, `seed ${seed}`);
        assert.ok(
          slices.every(({ endpoints }) => (endpoints ?? []).length <= MAX_ENDPOINTS),
          `seed ${seed}`,
        );
        const again = decide(pods, slices);
        assert.deepEqual([again.create, again.update, again.remove], [[], [], []], `seed ${seed}`);
      }
    }
  });
});
