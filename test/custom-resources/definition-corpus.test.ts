import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesFor } from '@orch/machinery';
import {
  type ApiResponse,
  corpusResource,
  definitionCorpus,
  type LaunchedServer,
  launchServer,
} from '@orch/testkit';

const COUNT = 60;
const POLL_MS = 100;
const DEADLINE_MS = 120_000;
const names = namesFor('kubernetes');
const DEFINITIONS = `/apis/${names.apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;

// biome-ignore lint/suspicious/noExplicitAny: documents whose fields the tests know.
type Json = any;

/** The group versions of the definitions. */
const groupVersions = new Set(
  [...definitionCorpus({ count: COUNT, names })].flatMap(({ spec }: Json) =>
    spec.versions.map(({ name }: Json) => `apis/${spec.group}/${name}`),
  ),
);

describe('definitions in the shape of those of operators', { timeout: 2 * DEADLINE_MS }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer({ naming: 'kubernetes' });
  });
  after(() => server[Symbol.asyncDispose]());

  const get = async (path: string, headers = {}): Promise<ApiResponse> => {
    const answer = await server.client.get(path, { headers });
    assert.equal(answer.status, 200, answer.text.slice(0, 1000));
    return answer;
  };

  it('definitions that are created together are soon served, listed and documented', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3']) await get(path);
    const answers = await Promise.all(
      [...definitionCorpus({ count: COUNT, names })].map((definition) =>
        server.client.post(DEFINITIONS, definition),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 201, text);
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const until = async (isSo: () => Promise<boolean>): Promise<void> => {
      for (; !(await isSo()); await sleep(POLL_MS)) deadline.throwIfAborted();
    };
    await until(async () => {
      const { groups }: Json = (await get('/apis')).json;
      const listed = groups.flatMap(({ versions }: Json) =>
        versions.map(({ groupVersion }: Json) => `apis/${groupVersion}`),
      );
      return [...groupVersions].every((one) => listed.includes(one));
    });
    await until(async () => {
      const { paths }: Json = (await get('/openapi/v3')).json;
      return [...groupVersions].every((one) => one in paths);
    });
    const kinds = Array.from({ length: COUNT }, (_, index) => corpusResource(index));
    await until(async () => {
      const { definitions }: Json = (await get('/openapi/v2')).json;
      return kinds.every(({ group, kind }) => names.customDefinitionName(group, 'v1', kind) in definitions);
    });
    for (const { group, kind, plural } of kinds) {
      const { components }: Json = (await get(`/openapi/v3/apis/${group}/v1`)).json;
      assert.ok(names.customDefinitionName(group, 'v1', kind) in components.schemas, kind);
      assert.deepEqual(((await get(`/apis/${group}/v1/${plural}`)).json as Json).items, []);
    }
  });

  it('one more definition changes the hash of its group version alone', async () => {
    const hashes = async (): Promise<Readonly<Record<string, string>>> => {
      const { paths }: Json = (await get('/openapi/v3')).json;
      return Object.fromEntries(
        Object.entries(paths).map(([path, { serverRelativeURL }]: Json) => [path, serverRelativeURL]),
      );
    };
    const [, first]: Json[] = [...definitionCorpus({ count: 2, names })];
    const more = structuredClone(first);
    more.spec.names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };
    more.metadata.name = `gadgets.${more.spec.group}`;
    const changed = `apis/${more.spec.group}/v1`;
    const earlier = await hashes();
    assert.equal((await server.client.post(DEFINITIONS, more)).status, 201);
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    let later = await hashes();
    for (; later[changed] === earlier[changed]; later = await hashes()) {
      deadline.throwIfAborted();
      await sleep(POLL_MS);
    }
    const different = Object.keys(later).filter((path) => later[path] !== earlier[path]);
    assert.deepEqual(different, [changed]);
  });
});
