import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Release } from '@orch/apis';
import type { ApiObject, Naming } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { settle } from '@orch/machinery/testing';
import { parseYaml } from '@orch/machinery/yaml';
import type { Answered } from '@orch/registry/testing';
import { ApiFixture } from '@orch/server/testing';
import { protobufClient, type TypedObject } from './client.ts';
import { manifestsOf, readManifests } from './manifests.ts';
import { collectionOf, type ServedKind, servedKinds, siblingsOf } from './served-kinds.ts';
import {
  asItem,
  expectStatus,
  objectOf,
  read,
  type TestedObject,
  withoutRevision,
  yaml,
} from './steps/context.ts';
import { status } from './steps/subresources.ts';

export interface PrintedObjects {
  readonly release: Release;
  readonly naming: Naming;
  /** How every write of the tests validates fields. */
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
}

interface Printed extends TestedObject {
  /** Query of every write. */
  readonly query: string;
}

const MAKER = 'maker';
const MAX_TURNS = 200;

/** Tests that every write accepts the objects that the server shows, for every stored kind and version of a release. */
export function describePrintedObjects({ release, naming, fieldValidation }: PrintedObjects): void {
  const title = `release ${release}, ${naming} names, fieldValidation=${fieldValidation}`;
  describe(`printed objects, ${title}`, () => {
    it(`every write accepts what the server shows of every kind, ${title}`, async (t) => {
      await using api = await ApiFixture.open({
        release,
        naming,
        isEnabled: () => true,
        maintainsApiServices: false,
      });
      const all = await servedKinds(api, release);
      const protobuf = protobufClient(api.names, release, new Set());
      for (const served of all.filter(isWritable)) {
        for (const manifest of manifestsOf(readManifests(api.names), served)) {
          const collection = collectionOf(served);
          const tested: Printed = {
            ...{ api, protobuf, served, siblings: siblingsOf(served, all), manifest, collection },
            path: `${collection}/${manifest.object.metadata.name}`,
            query: `fieldValidation=${fieldValidation}`,
          };
          const { apiVersion, kind } = served;
          await t.test(`${apiVersion} ${kind} of ${manifest.path} is accepted as it is shown`, async () => {
            await createFromPrinted(tested);
            // The server itself writes the status of a definition, and would write it again.
            if (served.kind === 'CustomResourceDefinition') await established(tested);
            else await status(tested);
            await assertShownAlike(tested);
            for (const below of writablePaths(served)) await writeBack(tested, below);
            for (const below of writablePaths(served)) await applyPrinted(tested, below);
            await api.delete(`${tested.path}?propagationPolicy=Background`);
          });
        }
      }
    });
  });
}

const isWritable = ({ verbs, storageVersionHash }: ServedKind): boolean =>
  storageVersionHash !== undefined && ['create', 'update', 'patch'].every((verb) => verbs.includes(verb));

/** The object itself and its subresources that take patches; a proxy passes requests on. */
const writablePaths = ({ subresources }: ServedKind): readonly string[] => [
  '',
  ...subresources
    .filter(({ name, verbs }) => name !== 'proxy' && verbs.includes('patch'))
    .map(({ name }) => `/${name}`),
];

function accepted(answered: Answered, what: string, code = 200): TypedObject {
  const { headers } = expectStatus(code, answered, what);
  const warnings = [headers['Warning'] ?? []].flat().filter((text) => /unknown|duplicate/.test(text));
  assert.deepEqual(warnings, [], `${what}: warnings`);
  return objectOf(answered);
}

/** An object as the configuration of an apply: nothing is left out that may stand in one. */
function configOf(object: TypedObject, left: readonly string[] = []): TypedObject {
  const metadata = Object.entries(object.metadata).filter(
    ([name]) => name !== 'managedFields' && !left.includes(name),
  );
  return { ...object, metadata: Object.fromEntries(metadata) };
}

/** Creates the object by sending what a dry run showed; an apply would create it with the same owners. */
async function createFromPrinted(tested: Printed): Promise<void> {
  const { api, collection, manifest, path, query } = tested;
  const creation = `${collection}?${query}&fieldManager=${MAKER}`;
  const dry = accepted(await api.post(`${creation}&dryRun=All`, manifest.object), 'dry run of a POST', 201);
  // A job names its uid in its labels, and is refused with that of another: it is created as it was written.
  const shown = namesItsUid(dry) ? manifest.object : dry;
  const config = configOf(shown, ['uid', 'resourceVersion']);
  const made = await applyAs(MAKER, tested, `${path}?dryRun=All`, config);
  const applied = accepted(made, 'dry run of an apply that creates', 201);
  const created = accepted(await api.post(creation, shown), 'POST', 201);
  if (shown === dry)
    assert.deepEqual(fieldsOf(applied), fieldsOf(created), 'an apply has the owners of a creation');
}

interface DefinitionStatus {
  readonly conditions?: readonly { readonly type: string }[] | null;
}

/** The server sets the status of a definition after its creation. */
async function established(tested: Printed): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const { conditions } = ((await read(tested))['status'] ?? {}) as DefinitionStatus;
    if (conditions?.some(({ type }) => type === 'Established')) return;
    await settle();
  }
  assert.fail('the definition is not established');
}

const namesItsUid = ({ metadata, ...content }: TypedObject): boolean =>
  JSON.stringify([content, metadata.labels]).includes(metadata.uid ?? '');

/**
 * The fields of all entries, without their managers and times. An apply does not own maps as such; it owns empty fields, and zeros,
 * that other writes do not.
 */
const fieldsOf = (object: ApiObject): unknown =>
  ((object.metadata.managedFields ?? []) as readonly Record<string, unknown>[])
    .map((entry) => ownedValues(entry['fieldsV1'] as object, object))
    .filter((fields) => Object.keys(fields).length > 0);

/** The fields of a tree that have a value; items of lists are kept whole. */
function ownedValues(fields: object, values: unknown): object {
  const kept = Object.entries(fields)
    .filter(([element]) => element !== '.')
    .map(([element, below]: [string, object]) => {
      const value = isJsonObject(values) && element.startsWith('f:') ? values[element.slice(2)] : undefined;
      return { element, value, owned: ownedValues(below, value) };
    })
    .filter(({ element, value, owned }) => !element.startsWith('f:') || !isEmpty(value, owned))
    .map(({ element, owned }) => [element, owned] as const);
  return Object.fromEntries(kept);
}

/** Reports whether a field is null, the zero of a scalar, or an object of which nothing is owned. */
const isEmpty = (value: unknown, owned: object): boolean =>
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (isJsonObject(value) && Object.keys(owned).length === 0);

/** JSON, YAML, an item of a list, an event of a watch and dry runs show the same object. */
async function assertShownAlike(tested: Printed): Promise<void> {
  const { api, collection, path, query } = tested;
  const object = await read(tested);
  const selector = `fieldSelector=metadata.name%3D${encodeURIComponent(object.metadata.name ?? '')}`;
  const { items } = (await api.get(`${collection}?${selector}`)).json as { readonly items: ApiObject[] };
  assert.deepEqual(items.map(asItem), [asItem(object)], 'LIST');
  assert.deepEqual(parseYaml((await api.get(path, { accept: yaml })).bytes), object, 'YAML');
  const watching = await api.watch(`${collection}?watch=true&${selector}`);
  await watching.until(1);
  watching.stop();
  assert.deepEqual((watching.events as readonly { object: unknown }[])[0]?.object, object, 'watch');
  const dry = await api.put(`${path}?${query}&dryRun=All`, object);
  assert.deepEqual(accepted(dry, 'dry run of a PUT'), object, 'dry run');
  const binary = await api.get(path, { accept: api.names.mediaTypes.protobuf });
  assert.deepEqual(tested.protobuf.read(binary.bytes), object, 'Protobuf');
}

/** Every way to write the object, or a subresource, as it is shown, changes neither a value nor an owner. */
async function writeBack(tested: Printed, below: string): Promise<void> {
  const { api, path, query } = tested;
  const target = `${path}${below}`;
  const before = await read(tested);
  const shown = objectOf(expectStatus(200, await api.get(target), `GET ${target}`));
  const operations = Object.entries(shown).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  const patchTypes = [
    ['application/json-patch+json', operations],
    ['application/merge-patch+json', shown],
    ['application/strategic-merge-patch+json', shown],
  ] as const;
  const answers: (readonly [string, Answered])[] = [['PUT', await api.put(`${target}?${query}`, shown)]];
  for (const [contentType, body] of patchTypes)
    answers.push([contentType, await api.send('PATCH', `${target}?${query}`, { body, contentType })]);
  for (const [what, answered] of answers)
    assert.deepEqual(accepted(answered, `${what} of ${target}`), shown, `${what} of ${target} changes it`);
  assert.deepEqual(await read(tested), before, `what ${target} shows changes nothing`);
}

function applyAs(manager: string, { api, query }: Printed, target: string, body: object): Promise<Answered> {
  const parameters = `${query}&fieldManager=${manager}`;
  const url = `${target}${target.includes('?') ? '&' : '?'}${parameters}`;
  return api.send('PATCH', url, { body, contentType: 'application/apply-patch+yaml' });
}

/** An apply of the object by another manager changes no value; repeated, it changes nothing. */
async function applyPrinted(tested: Printed, below: string): Promise<void> {
  const { api, path } = tested;
  const target = `${path}${below}`;
  const before = await read(tested);
  const config = configOf(objectOf(await api.get(target)));
  const first = accepted(await applyAs('other', tested, target, config), `apply to ${target}`);
  const again = await applyAs('other', tested, target, configOf(config, ['resourceVersion']));
  assert.deepEqual(accepted(again, `second apply to ${target}`), first, 'a second apply changes nothing');
  assert.deepEqual(
    withoutRevision(await read(tested)),
    withoutRevision(before),
    `an apply to ${target} changes no value`,
  );
}
