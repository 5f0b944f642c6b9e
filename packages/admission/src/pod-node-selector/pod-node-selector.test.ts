import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { type ApiObject, namesFor } from '@orch/machinery';
import { ConfigFileError, ConfigValue } from '@orch/machinery/yaml';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionPlugin } from '../types.ts';
import { podNodeSelector } from './pod-node-selector.ts';

const names = namesFor('orch');
const KEY = 'scheduler.alpha.orch.io/node-selector';
const conflict = 'pod node label selector conflicts with its namespace node label selector';
const notPermitted = 'pod node label selector labels conflict with its namespace whitelist';

interface Cluster {
  /** The annotation of the namespace. */
  readonly annotation?: string;
  readonly clusterDefault?: string;
  readonly permitted?: string;
}

function pluginWith({ annotation, clusterDefault, permitted }: Cluster): AdmissionPlugin {
  const source = new MemoryObjectSource();
  const annotations = annotation === undefined ? {} : { annotations: { [KEY]: annotation } };
  source.put('namespaces', { metadata: { name: 'ns', ...annotations } });
  const selectors = { clusterDefaultNodeSelector: clusterDefault, ns: permitted };
  const file = JSON.stringify({ podNodeSelectorPluginConfig: selectors });
  return podNodeSelector({ source, names, configuration: () => ConfigValue.parse(file, 'selectors.yaml') });
}

const pod = (nodeSelector?: object, namespace = 'ns'): ApiObject => ({
  metadata: { name: 'p', namespace },
  spec: { ...(nodeSelector === undefined ? {} : { nodeSelector }) },
});

describe('admission plugin PodNodeSelector', () => {
  const cases: readonly [string, Cluster, Record<string, string> | undefined, object | string | undefined][] =
    [
      ['a pod of a namespace without annotation and default is not changed', {}, undefined, undefined],
      ['a pod gets the labels of its namespace', { annotation: 'a=1,b=2' }, undefined, { a: '1', b: '2' }],
      [
        'the labels of the namespace are added to its own',
        { annotation: 'a=1' },
        { c: '3' },
        { a: '1', c: '3' },
      ],
      ['a pod may repeat a label of its namespace', { annotation: 'a=1' }, { a: '1' }, { a: '1' }],
      ['a pod with another value than its namespace is refused', { annotation: 'a=1' }, { a: '2' }, conflict],
      [
        'a pod with an empty value for a label of its namespace is refused',
        { annotation: 'a=1' },
        { a: '' },
        conflict,
      ],
      [
        'spaces around keys and values do not matter',
        { annotation: ' a = 1 , b = 2 ' },
        {},
        { a: '1', b: '2' },
      ],
      ['a label may have an empty value', { annotation: 'a=' }, {}, { a: '' }],
      ['without annotation the default of the cluster applies', { clusterDefault: 'd=4' }, {}, { d: '4' }],
      [
        'with annotation the default of the cluster does not apply',
        { annotation: 'a=1', clusterDefault: 'd=4' },
        {},
        { a: '1' },
      ],
      ['an empty annotation opts out of the default', { annotation: '', clusterDefault: 'd=4' }, {}, {}],
      ['a pod that contradicts the default is refused', { clusterDefault: 'd=4' }, { d: '5' }, conflict],
      ['a pod may select permitted labels', { permitted: 'a=1,b=2' }, { b: '2' }, { b: '2' }],
      ['a pod with a label that is not permitted is refused', { permitted: 'a=1' }, { b: '2' }, notPermitted],
      ['a pod with a value that is not permitted is refused', { permitted: 'a=1' }, { a: '2' }, notPermitted],
      [
        'labels of the namespace must be permitted too',
        { annotation: 'b=2', permitted: 'a=1' },
        {},
        notPermitted,
      ],
      [
        'labels of the default must be permitted too',
        { clusterDefault: 'b=2', permitted: 'a=1' },
        {},
        notPermitted,
      ],
      ['an empty list permits all labels', { permitted: '' }, { b: '2' }, { b: '2' }],
      [
        'labels with names of inherited properties are ordinary labels',
        { annotation: 'constructor=x' },
        {},
        { constructor: 'x' },
      ],
      [
        'a label with such a name is not permitted by itself',
        { permitted: 'a=1' },
        { constructor: 'x' },
        notPermitted,
      ],
      [
        'pods of a namespace with an invalid annotation are refused',
        { annotation: 'a in (1)' },
        {},
        'the node selector of namespace ns: invalid selector: "a in (1)" is not key=value',
      ],
      [
        'pods of a namespace with an invalid label are refused',
        { annotation: 'a=1,-b=2' },
        {},
        /^the node selector of namespace ns: invalid selector: "-b=2": /,
      ],
    ];
  for (const [title, cluster, nodeSelector, outcome] of cases)
    it(title, async () => {
      const plugin = pluginWith(cluster);
      const { refusal, object } = await mutated(plugin, testWrite({ object: pod(nodeSelector) }));
      const verdict = refusal ?? (await validated(plugin, testWrite({ object })));
      const spec = object?.['spec'] as { readonly nodeSelector?: object } | undefined;
      if (outcome instanceof RegExp) assert.match(String(verdict), outcome);
      else assert.deepEqual(verdict ?? spec?.nodeSelector, outcome);
    });

  it('a pod that lost a label of its namespace after it was added is refused', async () => {
    const plugin = pluginWith({ annotation: 'a=1' });
    assert.equal(await validated(plugin, testWrite({ object: pod({}) })), conflict);
  });

  it('the permitted labels of another namespace do not apply', async () => {
    const plugin = pluginWith({ permitted: 'a=1' });
    assert.equal(await validated(plugin, testWrite({ object: pod({ b: '2' }, 'other') })), undefined);
  });

  it('an annotation that the cache does not have yet is found', async () => {
    class Lagging extends MemoryObjectSource {
      override fresh(): Promise<void> {
        this.put('namespaces', { metadata: { name: 'ns', annotations: { [KEY]: 'a=1' } } });
        return super.fresh();
      }
    }
    const plugin = podNodeSelector({ source: new Lagging(), names, configuration: () => undefined });
    const { object } = await mutated(plugin, testWrite({ object: pod() }));
    assert.deepEqual(object?.['spec'], { nodeSelector: { a: '1' } });
  });

  it('creations of pods are handled only', () => {
    const plugin = pluginWith({});
    const object = pod();
    assert.equal(plugin.handles(testWrite({ object })), true);
    assert.equal(plugin.handles(testWrite({ object, oldObject: object })), false);
    assert.equal(plugin.handles(testWrite({ object, subresource: 'binding' })), false);
    assert.equal(plugin.handles(testWrite({ object, resource: 'replicationcontrollers' })), false);
  });

  for (const [title, file, message] of [
    [
      'a selector with operators',
      'podNodeSelectorPluginConfig:\n  ns: a!=1\n',
      /^line 2: podNodeSelectorPluginConfig.ns: invalid selector/,
    ],
    [
      'a selector that is not a string',
      'podNodeSelectorPluginConfig:\n  ns: {a: b}\n',
      /^line 2: podNodeSelectorPluginConfig.ns: must be a string/,
    ],
    ['an unknown field', 'podNodeSelector: {}\n', /^line 1: podNodeSelector: unknown field/],
  ] as const)
    it(`a configuration with ${title} is invalid`, () => {
      const configuration = (): ConfigValue => ConfigValue.parse(file, 'selectors.yaml');
      const create = (): AdmissionPlugin =>
        podNodeSelector({ source: new MemoryObjectSource(), names, configuration });
      assert.throws(create, (error) => error instanceof ConfigFileError && message.test(error.message));
    });

  it('a file can also have the configuration of image policies', () => {
    const file = 'imagePolicy: {}\npodNodeSelectorPluginConfig: {}\n';
    const source = new MemoryObjectSource();
    podNodeSelector({ source, names, configuration: () => ConfigValue.parse(file, 'a.yaml') });
  });
});
