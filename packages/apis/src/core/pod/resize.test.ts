import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { typesAt } from '../../lifecycle.ts';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { pods } from './index.ts';

const names = namesFor('kubernetes');
const amounts = { cpu: '1', memory: '100Mi', 'ephemeral-storage': '1Gi' };
const resources = { requests: amounts, limits: { ...amounts, memory: '200Mi' } };
const base = {
  metadata: { name: 'p', labels: { a: 'b' } },
  spec: {
    containers: [
      { name: 'c', image: 'i', resources },
      {
        ...{ name: 'restarted', image: 'i', resources },
        resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }],
      },
    ],
    initContainers: [
      { name: 'side', image: 'i', resources, restartPolicy: 'Always' },
      { name: 'once', image: 'i', resources },
    ],
  },
};

type Changes = Readonly<Record<string, unknown>>;

interface Case {
  readonly release?: string;
  /** Of the stored pod, before. */
  readonly stored?: Changes;
}

const withChanges = (object: ApiObject, changes: Changes): ApiObject => {
  const copy = cloneJson(object);
  for (const [at, value] of Object.entries(changes)) setPath(copy, at, value);
  return copy;
};

function resize(changes: Changes, { release = '1.36', stored = {} }: Case = {}) {
  const [type] = typesAt(release, [pods]);
  assert.ok(type);
  const path = writePath(names, release);
  const old = withChanges(path.create(type, base).object, stored);
  const { object, errors } = path.update(type, old, withChanges(old, changes), 'resize');
  return { old, object, causes: errors.map(({ type: reason, field }) => `${reason} ${field}`) };
}

const [forbidden, invalid] = ['FieldValueForbidden', 'FieldValueInvalid'];
const of = (i: number, rest: string, list = 'containers'): string => `spec.${list}[${i}].resources.${rest}`;

describe('resizing pods', () => {
  for (const [title, changes, causes, options] of [
    ['changes cpu and memory', { [of(0, 'requests.cpu')]: '500m', [of(0, 'limits.memory')]: '1Gi' }, []],
    ['changes those of sidecars', { [of(0, 'requests.cpu', 'initContainers')]: '500m' }, []],
    ['changes those of other init containers', { [of(1, 'requests.cpu', 'initContainers')]: '500m' }, []],
    [
      'leaves those of other init containers before 1.36',
      { [of(1, 'requests.cpu', 'initContainers')]: '500m' },
      [`${forbidden} spec`],
      { release: '1.35' },
    ],
    ['lowers a limit of memory', { [of(0, 'limits.memory')]: '150Mi' }, []],
    [
      'lowers no limit of memory before 1.34',
      { [of(0, 'limits.memory')]: '150Mi' },
      [`${forbidden} spec.containers[0].resources.limits`],
      { release: '1.33' },
    ],
    [
      'lowers a limit of memory before 1.34 with a restart',
      { [of(1, 'limits.memory')]: '150Mi' },
      [],
      { release: '1.33' },
    ],
    [
      'removes no limits',
      { [of(0, 'limits')]: { cpu: '1' } },
      [`${forbidden} ${of(0, 'limits')}`, `${forbidden} spec`],
    ],
    [
      'changes no other resource',
      { [of(0, 'limits')]: { ...resources.limits, 'ephemeral-storage': '2Gi' } },
      [`${forbidden} spec`],
    ],
    [
      'changes no policy',
      { 'spec.containers[1].resizePolicy[0].restartPolicy': 'NotRequired' },
      [`${forbidden} spec`],
    ],
    [
      'changes no class of service',
      { 'spec.containers[0].resources.limits': { cpu: '1' } },
      [`${invalid} spec`],
      {
        stored: {
          'spec.containers': [{ name: 'c', image: 'i' }],
          'spec.initContainers': [],
          'status.qosClass': 'BestEffort',
        },
      },
    ],
    [
      'removes no container',
      { 'spec.containers': [{ name: 'c', image: 'i', resources }] },
      [`${forbidden} spec.containers`],
    ],
    ['renames no container', { 'spec.containers[1].name': 'x' }, [`${forbidden} spec.containers[1].name`]],
    [
      'leaves pods of files of a node',
      { [of(0, 'requests.cpu')]: '500m' },
      [`${forbidden} `],
      { stored: { 'metadata.annotations': { [names.annotations.configMirror]: 'x' } } },
    ],
    [
      'leaves pods for Windows',
      { [of(0, 'requests.cpu')]: '500m' },
      [`${forbidden} `],
      { stored: { 'spec.os': { name: 'windows' } } },
    ],
    [
      'needs a node that reports resources',
      { [of(0, 'requests.cpu')]: '500m' },
      [`${forbidden} spec`],
      { stored: { 'status.containerStatuses': [{ name: 'c', state: { running: {} } }] } },
    ],
    [
      'leaves pods with resources of the whole pod before 1.36',
      { [of(0, 'requests.cpu')]: '500m' },
      [`${forbidden} `],
      { release: '1.35', stored: { 'spec.resources': { limits: { cpu: '9', memory: '9Gi' } } } },
    ],
    [
      'changes resources of the whole pod',
      { 'spec.resources.limits.cpu': '8' },
      [],
      {
        stored: {
          'spec.resources': { limits: { cpu: '9', memory: '9Gi' }, requests: { cpu: '5', memory: '1Gi' } },
        },
      },
    ],
  ] as readonly (readonly [string, Changes, readonly string[], Case?])[]) {
    it(`a resize of a pod ${title}`, () => {
      const result = resize(changes, options);
      const unexpected = result.causes.filter((cause) => !causes.includes(cause));
      assert.deepEqual([unexpected, causes.filter((cause) => !result.causes.includes(cause))], [[], []]);
    });
  }

  it('a resize writes nothing but resources', () => {
    const changes = {
      'metadata.labels': { a: 'other' },
      'spec.nodeName': 'n',
      'spec.containers[0].image': 'other',
      'status.phase': 'Failed',
    };
    const { object, old, causes } = resize({ ...changes, [of(0, 'requests.cpu')]: '500m' });
    assert.deepEqual(causes, []);
    assert.deepEqual(object, withChanges(old, { [of(0, 'requests.cpu')]: '500m' }));
  });
});
