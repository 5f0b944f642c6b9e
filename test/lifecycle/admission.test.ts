import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from '@orch/admission';
import type { Release } from '@orch/apis';
import type { Naming } from '@orch/machinery';
import { ApiFixture } from '@orch/server/testing';
import { type AdmittedWrite, type Written, writesOf } from './admitted-writes.ts';
import type { TypedObject } from './client.ts';
import { manifestsOf, readManifests } from './manifests.ts';
import { collectionOf, NAMESPACE, type ServedKind, servedKinds } from './served-kinds.ts';

/** Refuses everything in one phase, once it is armed, and records what it refused. */
class Gatekeeper implements AdmissionPlugin {
  readonly name = 'Gatekeeper';
  refusesIn: 'mutate' | 'validate' | undefined;
  refused: AdmissionAttributes[] = [];

  readonly handles = (): boolean => true;

  mutate(write: AdmissionAttributes): Refusal | undefined {
    return this.#refusal('mutate', write);
  }

  validate(write: AdmissionAttributes): Refusal | undefined {
    return this.#refusal('validate', write);
  }

  #refusal(phase: 'mutate' | 'validate', write: AdmissionAttributes): Refusal | undefined {
    if (this.refusesIn !== phase) return undefined;
    this.refused.push(write);
    return REFUSAL;
  }
}

const REFUSAL = 'the gatekeeper refuses it';

const isStored = (served: ServedKind): boolean => served.storageVersionHash !== undefined;

/** Creates one object of each resource and version, and returns them as they were sent. */
async function createdObjects(api: ApiFixture, all: readonly ServedKind[]): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  for (const served of all.filter(({ verbs }) => verbs.includes('create'))) {
    const [manifest] = manifestsOf(readManifests(api.names), served);
    assert.ok(manifest !== undefined, `there is a manifest of ${served.apiVersion} ${served.kind}`);
    const { object } = manifest;
    sent.push({ served, object });
    if (!isStored(served)) continue;
    const { status, text } = await api.post(collectionOf(served), object);
    assert.equal(status, 201, `${served.apiVersion} ${served.kind}: ${text}`);
  }
  return sent;
}

type Sent = Omit<Written, 'stored'>;

async function stored(api: ApiFixture, { served, object }: Sent): Promise<TypedObject> {
  if (!isStored(served)) return object;
  return (await api.get(`${collectionOf(served)}/${object.metadata.name}`)).json as TypedObject;
}

/** A write in one line, to compare what a plugin receives with the request. */
interface Received {
  readonly operation: string;
  readonly resource: string;
  readonly place: string;
  readonly dryRun: boolean;
  readonly hasObject: boolean;
  readonly hasOld: boolean;
  readonly user: string;
}

const lineOf = ({ operation, resource, place, dryRun, hasObject, hasOld, user }: Received): string =>
  `${operation} ${resource} ${place}${dryRun ? ', dry run' : ''}${hasObject ? ', object' : ''}${hasOld ? ', old object' : ''}, by ${user}`;

function received(write: AdmissionAttributes): string {
  const { operation, subresource, namespace, name, dryRun, user, requested, object, oldObject } = write;
  const { group, version, resource } = requested.resource;
  assert.equal(requested.subresource, subresource);
  return lineOf({
    operation,
    resource: `${group}/${version} ${resource}/${subresource}`,
    place: `${namespace}/${name}`,
    dryRun,
    hasObject: object !== undefined,
    hasOld: oldObject !== undefined,
    user: user.name,
  });
}

function expected({ served }: Written, write: AdmittedWrite): string {
  const { operation, subresource, name, dryRun } = write;
  return lineOf({
    operation,
    resource: `${served.group}/${served.version} ${served.resource}/${subresource}`,
    place: `${served.namespaced ? NAMESPACE : ''}/${name}`,
    dryRun,
    hasObject: operation !== 'DELETE',
    hasOld: operation === 'UPDATE' || operation === 'DELETE',
    user: 'tester',
  });
}

/** The bodies of subresources that are posted, by version and kind. */
function postedObjects(api: ApiFixture): ReadonlyMap<string, TypedObject> {
  return new Map(
    readManifests(api.names).map(({ object }) => [`${object.apiVersion} ${object.kind}`, object]),
  );
}

/** Resources whose writes were admitted, by naming: a later release tests what it serves beside them, or in another form. */
const admitted = new Set<string>();

function isNew(naming: Naming, { apiVersion, resource, verbs, subresources }: ServedKind): boolean {
  const form = JSON.stringify([naming, apiVersion, resource, verbs, subresources]);
  return admitted.size < admitted.add(form).size;
}

for (const [release, naming] of [
  ['1.15', 'kubernetes'],
  ['1.18', 'orch'],
  ['1.20', 'kubernetes'],
  ['1.22', 'orch'],
  ['1.24', 'kubernetes'],
  ['1.26', 'orch'],
  ['1.27', 'kubernetes'],
] as const satisfies readonly (readonly [Release, Naming])[]) {
  describe(`admission of every write, release ${release}, ${naming} names`, () => {
    it(`every write of every resource, subresource and version that no earlier release serves passes both phases of admission in release ${release}, ${naming} names`, async () => {
      const gatekeeper = new Gatekeeper();
      await using api = await ApiFixture.open({
        release,
        naming,
        isEnabled: () => true,
        openGates: new Set(['NetworkPolicyStatus']),
        maintainsApiServices: false,
        plugins: [gatekeeper],
      });
      const all = await servedKinds(api, release);
      const objects = await createdObjects(
        api,
        all.filter((served) => isNew(naming, served)),
      );
      assert.ok(objects.length > 0, `release ${release} serves new resources`);
      const posted = postedObjects(api);
      const found: string[] = [];
      for (const phase of ['mutate', 'validate'] as const) {
        gatekeeper.refusesIn = phase;
        for (const sent of objects) {
          const written = { ...sent, stored: await stored(api, sent) };
          for (const write of writesOf(written, posted)) {
            gatekeeper.refused = [];
            const answer = await api.send(write.method, write.path, write.parts);
            const title = `${phase} ${written.served.apiVersion} ${written.served.resource}: ${write.title}`;
            if (answer.status !== 403 || !answer.text.includes(REFUSAL))
              found.push(`${title}: ${answer.status} ${answer.text.slice(0, 200)}`);
            const [refused] = gatekeeper.refused;
            if (refused === undefined) continue;
            const [actual, wanted] = [received(refused), expected(written, write)];
            if (actual !== wanted) found.push(`${title}: received ${actual} instead of ${wanted}`);
          }
          assert.deepEqual(await stored(api, sent), written.stored, 'a refused write stores nothing');
        }
      }
      assert.deepEqual(found, []);
    });
  });
}
