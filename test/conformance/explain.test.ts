import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Kubectl, type LaunchedServer, launchServer, representativeKubectls, run } from '@orch/testkit';
import { type ExplainedKind, explainedKinds } from './explained-kinds.ts';

const root = join(import.meta.dirname, '..', '..');
const kubectls = await representativeKubectls(root);
const PROCESSES = 4;
/** With EXPLAIN_ALL each kubectl is asked about every kind and field; otherwise they share them. */
const isThorough = process.env['EXPLAIN_ALL'] !== undefined;

/** The questions for one of `count` kubectls that share the work. */
const partOf = <T>(all: readonly T[], index: number, count: number): readonly T[] =>
  isThorough ? all : all.filter((_, i) => i % count === index % count);

/** Pages of a field are the same as those of kinds; one kind in this many is asked about. */
const NESTED_SHARE = 5;

/** One field of every form: struct, list, map, scalars of all kinds, objects that may hold anything. */
const describedPaths = [
  'pod',
  'pod.spec',
  'pod.spec.containers',
  'pod.spec.nodeSelector',
  'pod.spec.containers.image',
  'pod.spec.containers.resources.limits',
  'pod.spec.containers.livenessProbe.httpGet.port',
  'pod.metadata.creationTimestamp',
  'pod.metadata.managedFields',
  'pod.metadata.managedFields.fieldsV1',
  'pod.metadata.ownerReferences',
  'configmap.data',
  'deployment.spec.template',
  'deployment.spec.strategy',
  'persistentvolume.spec.nfs',
  'job.spec.template',
  'horizontalpodautoscaler.spec.scaleTargetRef',
  'controllerrevision.data',
  'customresourcedefinition.spec.versions.schema.openAPIV3Schema.default',
  'customresourcedefinition.spec.versions.subresources.status',
];

if (kubectls.length === 0) {
  describe('kubectl explain', () => {
    it.skip('kubectl explain shows every kind: no kubectl on this machine', () => {});
  });
}

/** Does something with every item, some of them at a time. */
async function withEach<T>(all: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const one = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: PROCESSES }, one));
}

/** Fields that a page lists, with those that are indented below them. */
interface Listed {
  readonly name: string;
  readonly indent: number;
  readonly below: Listed[];
}

function listedTree(page: string): readonly Listed[] {
  const top: Listed[] = [];
  const open: Listed[] = [];
  for (const [, space = '', name = ''] of page.matchAll(/^( +)([A-Za-z$][\w$-]*)\t/gm)) {
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop();
    const field = { name, indent: space.length, below: [] };
    (open.at(-1)?.below ?? top).push(field);
    open.push(field);
  }
  return top;
}

const namesOf = (fields: readonly Listed[]): readonly string[] => fields.map(({ name }) => name).sort();

/** The fields below a path such as `spec.template`. */
const listedBelow = (fields: readonly Listed[], path: string): readonly Listed[] =>
  path.split('.').reduce((list, step) => list.find(({ name }) => name === step)?.below ?? [], fields);

describe('kubectl explain', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'kubectl-explain-'));
  let server: LaunchedServer;
  let kinds: readonly ExplainedKind[];

  before(async () => {
    server = await launchServer({ naming: 'kubernetes' });
    kinds = await explainedKinds(server.client);
    assert.ok(kinds.length > 60, `${kinds.length} kinds`);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  async function explain(kubectl: Kubectl, ...args: readonly string[]): Promise<string> {
    const env = { KUBECONFIG: server.adminConfig, HOME: join(home, kubectl.release) };
    const result = await run(kubectl.path, ['explain', ...args], { env });
    assert.equal(result.code, 0, `${kubectl.release} explain ${args.join(' ')}\n${result.stderr}`);
    return result.stdout;
  }

  for (const [index, kubectl] of kubectls.entries()) {
    it(`kubectl ${kubectl.release} explain shows kinds with all their fields, and those below`, async () => {
      const asked = partOf(kinds, index, kubectls.length);
      await withEach(asked, async ({ resource, apiVersion, kind, fields, below }) => {
        const page = await explain(kubectl, resource, `--api-version=${apiVersion}`, '--recursive');
        const about = `${kubectl.release} ${apiVersion} ${kind}`;
        assert.match(page, new RegExp(`^KIND:\\s+${kind}$`, 'm'), about);
        assert.match(page, /^DESCRIPTION:\n\s+\S/m, about);
        assert.doesNotMatch(page, /<empty>/, about);
        const shown = listedTree(page);
        assert.deepEqual(namesOf(shown), fields, about);
        if (below !== undefined)
          assert.deepEqual(namesOf(listedBelow(shown, below.path)), below.fields, `${about} ${below.path}`);
      });
    });
  }

  const outer = [...new Set([kubectls.at(0), kubectls.at(-1)])].filter((one) => one !== undefined);
  for (const [index, kubectl] of outer.entries()) {
    it(`kubectl ${kubectl.release} explain shows descriptions once`, async () => {
      await withEach(partOf(describedPaths, index, outer.length), async (path) => {
        const page = await explain(kubectl, path);
        const [, text = ''] = /^DESCRIPTION:\n([\s\S]*?)(?:^\S|$(?![\s\S]))/m.exec(page) ?? [];
        const lines = text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '');
        assert.notEqual(lines.length, 0, page);
        assert.deepEqual(lines, [...new Set(lines)], `${kubectl.release} ${path}`);
      });
    });

    it(`kubectl ${kubectl.release} explain shows nested fields with descriptions`, async () => {
      const withFields = kinds.filter(({ below }) => below !== undefined);
      const asked = partOf(withFields, index, outer.length * NESTED_SHARE);
      await withEach(asked, async ({ resource, apiVersion, below }) => {
        if (below === undefined) return;
        const page = await explain(kubectl, `${resource}.${below.path}`, `--api-version=${apiVersion}`);
        const about = `${kubectl.release} ${apiVersion} ${resource}.${below.path}`;
        assert.match(page, /^DESCRIPTION:\n\s+\S/m, about);
        assert.deepEqual(namesOf(listedTree(page)), below.fields, about);
      });
    });
  }
});
