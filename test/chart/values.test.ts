import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { asObject } from '@orch/machinery/json';
import {
  chart,
  helmLocally,
  type Leaf,
  leavesOf,
  memberAt,
  readYaml,
  rendered,
  renderedText,
  skip,
  valueSets,
} from './chart.ts';

const defaults = readYaml(join(chart, 'values.yaml'));
const schema = readYaml(join(chart, 'values.schema.json'));
const definitions = asObject(memberAt(schema, ['definitions']));

/** The schema of a value, or of the value of which it is a part. */
function schemaOf(path: readonly string[]): unknown {
  let at = schema;
  for (const key of path) {
    const next = memberAt(at, ['properties', key]);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

/** Values in a set that are not the default, each as the value of the chart that has it. */
const changesOf = (set: string): readonly Leaf[] =>
  leavesOf(readYaml(set)).filter(({ path, value }) => !isDeepStrictEqual(memberAt(defaults, path), value));

const isWithin = (path: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((key, index) => path[index] === key);

const scalarsIn = (value: unknown): readonly (string | number)[] =>
  typeof value === 'string' || typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(scalarsIn)
      : [];

const isTemplate = (scalar: string | number): boolean => String(scalar).includes('{{');

/** Values that helm refuses, and a part of its message. */
const refused: readonly (readonly [title: string, options: readonly string[], message: RegExp])[] = [
  ['a value that the chart does not have', ['image.tga=1'], /'\/image': additional properties 'tga'/],
  ['a group that the chart does not have', ['apiserver.replicas=3'], /additional properties 'apiserver'/],
  ['a string as a number', ['apiServer.replicas=two'], /'\/apiServer\/replicas': got string, want integer/],
  ['no replicas', ['apiServer.replicas=0'], /'\/apiServer\/replicas': minimum: got 0, want 1/],
  ['an unknown naming', ['naming=k8s'], /'\/naming': value must be one of 'kubernetes', 'orch'/],
  [
    'an unknown authorizer',
    ['apiServer.authorizationModes={Rbac}'],
    /'\/apiServer\/authorizationModes\/0': value must be one of/,
  ],
  [
    'a mutable digest',
    ['image.digest=latest'],
    /'\/image\/digest': 'latest' does not match pattern '\^\(sha256/,
  ],
  ['a duration without a unit', ['certificates.renewBefore=720'], /'\/certificates\/renewBefore'/],
  [
    'a flag without dashes',
    ['apiServer.extraArgs={v=2}'],
    /'\/apiServer\/extraArgs\/0': 'v=2' does not match/,
  ],
  ['a port above 65535', ['service.port=70000'], /'\/service\/port': maximum: got 70,000, want 65,535/],
  [
    'a volume mount without a path',
    ['apiServer.extraVolumeMounts[0].name=a'],
    /'\/apiServer\/extraVolumeMounts\/0': missing property 'mountPath'/,
  ],
  [
    'a name of a Secret in upper case',
    ['certificates.tokenSecret=Tokens'],
    /'\/certificates\/tokenSecret': 'Tokens' does not match/,
  ],
  ['an external etcd without an address', ['etcd.mode=external'], /etcd\.external\.servers is required/],
  [
    'an etcd address that is not a URL',
    ['etcd.external.servers={etcd:2379}'],
    /'\/etcd\/external\/servers\/0': 'etcd:2379' does not match/,
  ],
  [
    'replicas without a shared certificate',
    ['certificates.create=false'],
    /certificates\.secrets\.apiServer or certificates\.secrets\.serving is required/,
  ],
  [
    'controllers without credentials',
    ['certificates.create=false', 'certificates.secrets.serving=a'],
    /certificates\.secrets\.controllers or certificates\.secrets\.controllerConfig is required/,
  ],
  [
    'a bundled etcd without certificates',
    ['certificates.create=false', 'certificates.secrets.serving=a', 'controllers.enabled=false'],
    /certificates\.secrets\.apiServer and certificates\.secrets\.etcd are required/,
  ],
  [
    'existing Secrets beside the job that makes them',
    ['certificates.secrets.serving=a'],
    /certificates\.secrets\.serving is an existing Secret, and certificates\.create makes all of them/,
  ],
  [
    'no authorizer',
    ['apiServer.authorizationModes=null'],
    /apiServer\.authorizationModes is required without --authorization-config/,
  ],
  [
    'authorizers beside a file with authorizers',
    ['apiServer.extraArgs={--authorization-config=/etc/orch/files/a.yaml}'],
    /apiServer\.authorizationModes must be \[\] with --authorization-config/,
  ],
  [
    'a grace period that ends before requests do',
    ['apiServer.terminationGracePeriodSeconds=30'],
    /must be at least 80: the sum of shutdownDelaySeconds, requestTimeoutSeconds and 5/,
  ],
  [
    'the port of the API as that of health and metrics',
    ['apiServer.securePort=8080'],
    /apiServer\.securePort and apiServer\.opsPort must differ/,
  ],
  [
    'a minimum of replicas above the maximum',
    ['apiServer.autoscaling.enabled=true', 'apiServer.autoscaling.minReplicas=9'],
    /minReplicas must not be greater than apiServer\.autoscaling\.maxReplicas/,
  ],
  [
    'autoscaling without a target',
    ['apiServer.autoscaling.enabled=true', 'apiServer.autoscaling.targetCPUUtilizationPercentage=0'],
    /apiServer\.autoscaling needs targetCPUUtilizationPercentage/,
  ],
];

describe('values of the Helm chart for helm', { skip, timeout: 120_000 }, () => {
  it('helm lint --strict finds nothing with any set of values', async () => {
    for (const [name, file] of valueSets) {
      const { code, stdout } = await helmLocally(
        'lint',
        '--strict',
        chart,
        '--kube-version=1.27',
        `--values=${file}`,
      );
      assert.equal(code, 0, `${name}: ${stdout}`);
      assert.doesNotMatch(stdout, /\[(WARNING|ERROR)\]/, name);
    }
  });

  it('helm refuses wrong values, and names the value and what it must be', async () => {
    for (const [title, options, message] of refused) {
      const args = [
        'template',
        'main',
        chart,
        '--kube-version=1.27',
        ...options.map((one) => `--set=${one}`),
      ];
      const { code, stderr } = await helmLocally(...args);
      assert.equal(code, 1, title);
      assert.match(stderr, message, title);
    }
  });

  it('a cluster of a release before that of the chart is refused', async () => {
    const { code, stderr } = await helmLocally('template', 'main', chart, '--kube-version=1.22');
    assert.equal(code, 1);
    assert.match(stderr, /chart requires kubeVersion: >=1\.23/);
  });

  it('texts and numbers of the sets of values are in the rendered objects', async () => {
    for (const [name, file] of valueSets) {
      const text = await renderedText(`--values=${file}`);
      for (const { path, value } of changesOf(file)) {
        const own = schemaOf(path);
        // The tests of each effect test the rendered choices.
        if (memberAt(own, ['enum']) !== undefined) continue;
        for (const scalar of scalarsIn(value))
          for (const line of isTemplate(scalar) ? [] : String(scalar).trimEnd().split('\n'))
            assert.ok(text.includes(line.trim()), `${name}: ${path.join('.')}: ${line}`);
      }
    }
  });

  it('the objects of a set have different names', async () => {
    for (const [name, file] of valueSets) {
      const names = (await rendered(`--values=${file}`)).map(
        ({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`,
      );
      assert.deepEqual(
        names.filter((one, index) => names.indexOf(one) !== index),
        [],
        name,
      );
    }
  });
});

describe('values of the Helm chart', () => {
  it('the sets of values together set every value to something that is not the default', () => {
    const changed = [...valueSets.values()].flatMap(changesOf).map(({ path }) => path);
    const untested = leavesOf(defaults)
      .map(({ path }) => path)
      .filter((path) => !changed.some((one) => isWithin(one, path) || isWithin(path, one)));
    assert.deepEqual(
      untested.map((path) => path.join('.')),
      [],
    );
  });

  it('the schema has every value and refuses others, in every group', () => {
    for (const { path } of leavesOf(defaults))
      for (const [index, key] of path.entries()) {
        const group = path.slice(0, index);
        const own = schemaOf(group);
        // A value with free-form members.
        if (memberAt(own, ['properties']) === undefined) break;
        assert.equal(memberAt(own, ['additionalProperties']), false, group.join('.'));
        assert.notEqual(memberAt(own, ['properties', key]), undefined, path.join('.'));
      }
  });

  it('the schema refers only to definitions that exist', () => {
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/definitions\/(\w+)"/g)];
    assert.ok(references.length > 20);
    for (const [, name = ''] of references) assert.ok(name in definitions, name);
    assert.equal(Object.keys(definitions).length, new Set(references.map(([, name]) => name)).size);
  });
});
