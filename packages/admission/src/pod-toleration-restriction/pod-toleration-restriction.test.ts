import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import type { Toleration } from '@orch/kinds/core';
import { type ApiObject, namesFor } from '@orch/machinery';
import { ConfigFileError, ConfigValue, encodeYaml } from '@orch/machinery/yaml';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionPlugin } from '../types.ts';
import { podTolerationRestriction } from './pod-toleration-restriction.ts';

const names = namesFor('orch');
const DEFAULTS = 'scheduler.alpha.orch.io/defaultTolerations';
const WHITELIST = 'scheduler.alpha.orch.io/tolerationsWhitelist';

const conflict = (scope: string): string =>
  `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;

const document = { apiVersion: 'podtolerationrestriction.admission.orch.io/v1alpha1', kind: 'Configuration' };

interface Cluster {
  /** Annotations of the namespace. */
  readonly annotations?: Record<string, string>;
  readonly configuration?: {
    readonly default?: readonly Toleration[];
    readonly whitelist?: readonly Toleration[];
  };
}

function sourceWith({ annotations = {} }: Cluster): MemoryObjectSource {
  const source = new MemoryObjectSource();
  source.put('namespaces', { metadata: { name: 'ns', annotations } });
  return source;
}

const configured = (text: string) => (): ConfigValue => ConfigValue.parse(text, 'tolerations.yaml');

function pluginWith(cluster: Cluster): AdmissionPlugin {
  const text = encodeYaml({ ...document, ...cluster.configuration });
  return podTolerationRestriction({ source: sourceWith(cluster), names, configuration: configured(text) });
}

const exists = (key: string, rest: Toleration = {}): Toleration => ({ key, operator: 'Exists', ...rest });
const json = (...tolerations: readonly Toleration[]): string => JSON.stringify(tolerations);
const [a, b, c] = [exists('a'), exists('b'), exists('c')];
const pressure = exists('node.orch.io/memory-pressure', { effect: 'NoSchedule' });
const evicted = (tolerationSeconds?: number): Toleration =>
  exists('k', { effect: 'NoExecute', ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }) });

const pod = (tolerations?: readonly Toleration[], requests?: object): ApiObject => ({
  metadata: { name: 'p', namespace: 'ns' },
  spec: {
    ...(tolerations === undefined ? {} : { tolerations }),
    containers: [
      { name: 'main', image: 'i', ...(requests === undefined ? {} : { resources: { requests } }) },
    ],
  },
});

type Outcome = readonly Toleration[] | string | undefined;

async function outcomeOf(
  plugin: AdmissionPlugin,
  object: ApiObject,
  oldObject?: ApiObject,
): Promise<Outcome> {
  const after = await mutated(plugin, testWrite({ object, oldObject }));
  const verdict = after.refusal ?? (await validated(plugin, testWrite({ object: after.object, oldObject })));
  const spec = after.object?.['spec'] as { readonly tolerations?: readonly Toleration[] } | undefined;
  return verdict ?? spec?.tolerations;
}

describe('admission plugin PodTolerationRestriction, new pods', () => {
  const cases: readonly [string, Cluster, readonly Toleration[] | undefined, Outcome][] = [
    ['a pod is not changed without defaults', {}, undefined, undefined],
    ['a pod keeps its tolerations without defaults', {}, [a, a], [a, a]],
    ['a pod gets the defaults of its namespace', { annotations: { [DEFAULTS]: json(a) } }, undefined, [a]],
    [
      'the defaults of the namespace are merged with its own',
      { annotations: { [DEFAULTS]: json(a) } },
      [b, a],
      [a, b],
    ],
    ['a pod gets the defaults of the cluster', { configuration: { default: [c] } }, [b], [c, b]],
    [
      'the defaults of the namespace replace those of the cluster',
      { annotations: { [DEFAULTS]: json(a) }, configuration: { default: [c] } },
      [],
      [a],
    ],
    [
      'an empty list of the namespace replaces the defaults of the cluster',
      { annotations: { [DEFAULTS]: '[]' }, configuration: { default: [c] } },
      [b],
      [b],
    ],
    [
      'an empty annotation replaces the defaults of the cluster',
      { annotations: { [DEFAULTS]: '' }, configuration: { default: [c] } },
      [b],
      [b],
    ],
    ['a permitted toleration is admitted', { annotations: { [WHITELIST]: json(a, b) } }, [b], [b]],
    [
      'a pod without tolerations is admitted',
      { annotations: { [WHITELIST]: json(a) } },
      undefined,
      undefined,
    ],
    [
      'another toleration is refused',
      { annotations: { [WHITELIST]: json(a) } },
      [a, b],
      conflict('namespace'),
    ],
    [
      'defaults must be permitted',
      { annotations: { [DEFAULTS]: json(b), [WHITELIST]: json(a) } },
      [],
      conflict('namespace'),
    ],
    ['the whitelist of the cluster applies', { configuration: { whitelist: [a] } }, [b], conflict('cluster')],
    [
      'the whitelist of the namespace replaces that of the cluster',
      { annotations: { [WHITELIST]: json(b) }, configuration: { whitelist: [a] } },
      [b],
      [b],
    ],
    [
      'an empty whitelist of the namespace permits what the cluster does not',
      { annotations: { [WHITELIST]: '' }, configuration: { whitelist: [a] } },
      [b],
      [b],
    ],
    [
      'a namespace with its own defaults has the whitelist of the cluster',
      { annotations: { [DEFAULTS]: json(b) }, configuration: { whitelist: [a] } },
      [],
      conflict('cluster'),
    ],
    [
      'a value is permitted by the existence of its key',
      { annotations: { [WHITELIST]: json(a) } },
      [{ key: 'a', operator: 'Equal', value: 'v', effect: 'NoSchedule' }],
      [{ key: 'a', operator: 'Equal', value: 'v', effect: 'NoSchedule' }],
    ],
    [
      'all values of a key are not permitted by one value',
      { annotations: { [WHITELIST]: json({ key: 'a', value: 'v' }) } },
      [a],
      conflict('namespace'),
    ],
    [
      'all effects are not permitted by one effect',
      { annotations: { [WHITELIST]: json(exists('a', { effect: 'NoSchedule' })) } },
      [a],
      conflict('namespace'),
    ],
    [
      'all taints are not permitted by one key',
      { annotations: { [WHITELIST]: json(a) } },
      [{ operator: 'Exists' }],
      conflict('namespace'),
    ],
    [
      'all taints permit everything',
      { annotations: { [WHITELIST]: json({ operator: 'Exists' }) } },
      [a, evicted()],
      [a, evicted()],
    ],
    [
      'a shorter time is permitted',
      { annotations: { [WHITELIST]: json(evicted(60)) } },
      [evicted(60)],
      [evicted(60)],
    ],
    [
      'a longer time is refused',
      { annotations: { [WHITELIST]: json(evicted(60)) } },
      [evicted(61)],
      conflict('namespace'),
    ],
    [
      'no limit of time is refused',
      { annotations: { [WHITELIST]: json(evicted(60)) } },
      [evicted()],
      conflict('namespace'),
    ],
  ];
  for (const [title, cluster, tolerations, outcome] of cases)
    it(title, async () => assert.deepEqual(await outcomeOf(pluginWith(cluster), pod(tolerations)), outcome));

  for (const [title, annotations, message] of [
    [
      'no JSON',
      { [DEFAULTS]: '[' },
      /^namespace ns: annotation scheduler.alpha.orch.io\/defaultTolerations: /,
    ],
    ['no list', { [WHITELIST]: '{}' }, /tolerationsWhitelist: line 1: must be a list$/],
    ['an unknown field', { [WHITELIST]: '[{"kee": "a"}]' }, /unknown field "kee"/],
    [
      'an unknown operator',
      { [WHITELIST]: '[{"key": "a", "operator": "In"}]' },
      /toleration\.operator: Unsupported value: "In"/,
    ],
    ['an invalid key', { [DEFAULTS]: '[{"key": "-a", "operator": "Exists"}]' }, /line 1: \[0\]\.key: /],
  ] as const)
    it(`pods of a namespace whose annotation has ${title} are refused`, async () => {
      assert.match(String(await outcomeOf(pluginWith({ annotations }), pod([a]))), message);
    });

  it('a change of the annotations takes effect', async () => {
    const source = sourceWith({ annotations: { [WHITELIST]: json(a) } });
    const plugin = podTolerationRestriction({ source, names, configuration: () => undefined });
    assert.equal(await outcomeOf(plugin, pod([b])), conflict('namespace'));
    source.put('namespaces', { metadata: { name: 'ns', annotations: { [WHITELIST]: json(a, b) } } });
    assert.deepEqual(await outcomeOf(plugin, pod([b])), [b]);
  });

  for (const [title, requests, cluster, outcome] of [
    ['that requests memory tolerates memory pressure', { memory: '1Gi' }, {}, [a, pressure]],
    ['that requests nothing does not tolerate memory pressure', undefined, {}, [a]],
    ['that requests another resource does not tolerate memory pressure', { 'example.com/gpu': '1' }, {}, [a]],
    [
      'that requests memory is admitted where this toleration is not permitted',
      { memory: '1Gi' },
      { configuration: { whitelist: [a] } },
      [a, pressure],
    ],
  ] as const)
    it(`whatever the whitelist, a pod ${title}`, async () =>
      assert.deepEqual(await outcomeOf(pluginWith(cluster), pod([a], requests)), outcome));

  it('the toleration of memory pressure is not implied for pods that request nothing', async () => {
    const plugin = pluginWith({ configuration: { whitelist: [a] } });
    assert.equal(await outcomeOf(plugin, pod([pressure])), conflict('cluster'));
  });
});

describe('admission plugin PodTolerationRestriction, updates', () => {
  const restricted: Cluster = { annotations: { [WHITELIST]: json(a, evicted(60)) } };
  const cases: readonly [string, Cluster, ApiObject, ApiObject, Outcome][] = [
    ['a permitted toleration can be added', restricted, pod([]), pod([a]), [a]],
    [
      'a toleration that is not permitted cannot be added',
      restricted,
      pod([a]),
      pod([a, b]),
      conflict('namespace'),
    ],
    [
      'a toleration that the pod has is kept when it is no longer permitted',
      restricted,
      pod([b]),
      pod([b]),
      [b],
    ],
    [
      'a time that is not permitted cannot be set',
      restricted,
      pod([evicted(60)]),
      pod([evicted(61)]),
      conflict('namespace'),
    ],
    ['defaults are not added', { annotations: { [DEFAULTS]: json(a) } }, pod([b]), pod([b]), [b]],
    [
      'tolerations that cover each other are all kept',
      restricted,
      pod([b, b], { cpu: '1' }),
      pod([b, b], { cpu: '1' }),
      [b, b, pressure],
    ],
    [
      'the toleration of memory pressure is added once',
      {},
      pod([pressure], { cpu: '1' }),
      pod([pressure], { cpu: '1' }),
      [pressure],
    ],
  ];
  for (const [title, cluster, before, after, outcome] of cases)
    it(title, async () => assert.deepEqual(await outcomeOf(pluginWith(cluster), after, before), outcome));

  it('subresources, deletions and other resources are not handled', () => {
    const plugin = pluginWith({});
    const object = pod();
    assert.equal(plugin.handles(testWrite({ object, oldObject: object, subresource: 'status' })), false);
    assert.equal(plugin.handles(testWrite({ oldObject: object })), false);
    assert.equal(plugin.handles(testWrite({ object, resource: 'nodes' })), false);
  });
});

describe('configuration of PodTolerationRestriction', () => {
  const kind = 'apiVersion: podtolerationrestriction.admission.orch.io/v1alpha1\nkind: Configuration\n';
  for (const [title, text, message] of [
    [
      'another kind',
      'apiVersion: podtolerationrestriction.admission.orch.io/v1alpha1\nkind: Config\n',
      /^line 2: kind: must be one of Configuration/,
    ],
    [
      'another version',
      'apiVersion: v1\nkind: Configuration\n',
      /^line 1: apiVersion: must be one of podtoleration/,
    ],
    ['an unknown field', `${kind}defaults: []\n`, /^line 3: defaults: unknown field/],
    [
      'an invalid effect',
      `${kind}whitelist:\n- {key: a, operator: Exists, effect: Never}\n`,
      /^line 4: whitelist\[0\]: toleration.effect: Unsupported value/,
    ],
    [
      'seconds without the effect NoExecute',
      `${kind}default:\n- {key: a, operator: Exists, tolerationSeconds: 1}\n`,
      /^line 4: default\[0\]: toleration.effect/,
    ],
    [
      'seconds that are a string',
      `${kind}default:\n- {key: a, operator: Exists, effect: NoExecute, tolerationSeconds: "1"}\n`,
      /^line 4: default\[0\].tolerationSeconds: must be an integer/,
    ],
  ] as const)
    it(`a configuration file with ${title} is invalid`, () => {
      const source = new MemoryObjectSource();
      const create = (): AdmissionPlugin =>
        podTolerationRestriction({ source, names, configuration: configured(text) });
      assert.throws(create, (error) => {
        assert.ok(error instanceof ConfigFileError);
        assert.match(error.message, message);
        return true;
      });
    });
});
