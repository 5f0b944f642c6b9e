import assert from 'node:assert/strict';
import { type Manifest, manifestsOf, readManifests } from '../manifests.ts';
import type { ServedSubresource } from '../served-kinds.ts';
import { expectStatus, nameOf, read, type TestedObject, yaml } from './context.ts';

/** Checks the effect of a body that was sent to a subresource of the object. */
type Outcome = (tested: TestedObject, body: Manifest) => Promise<void>;

const outcomes: Readonly<Record<string, Outcome>> = {
  async eviction({ api, path }) {
    expectStatus(404, await api.get(path), 'after the eviction');
  },
  async rollback(tested, { object }) {
    const { rollbackTo } = object as unknown as { readonly rollbackTo: object };
    const { spec } = (await read(tested)) as unknown as { readonly spec: { readonly rollbackTo: object } };
    assert.deepEqual(spec.rollbackTo, Object.values(rollbackTo)[0] === 0 ? {} : rollbackTo);
  },
};

/** Tested separately: bindings, and tokens of service accounts. */
const elsewhere = new Set(['binding', 'token']);

/** Every subresource that only accepts POST has a manifest, and has the effect that its body requests. */
export async function post(tested: TestedObject): Promise<void> {
  const { served, api } = tested;
  for (const subresource of served.subresources) {
    if (subresource.verbs.join() !== 'create') continue;
    const asked = { ...subresource, release: served.release };
    const bodies = manifestsOf(readManifests(api.names), asked);
    assert.ok(bodies.length > 0, `there is no manifest of ${subresource.apiVersion} ${subresource.kind}`);
    if (elsewhere.has(subresource.name)) continue;
    for (const body of bodies.filter((one) => isFor(one, nameOf(tested))))
      await sendTo(tested, subresource, body);
  }
}

const isFor = ({ object }: Manifest, name: string): boolean =>
  (object.metadata?.name ?? (object as unknown as { readonly name?: string }).name) === name;

async function sendTo(tested: TestedObject, { name }: ServedSubresource, body: Manifest): Promise<void> {
  const { api, collection, manifest, path, protobuf } = tested;
  const { protobuf: contentType } = api.names.mediaTypes;
  const outcome = outcomes[name] ?? assert.fail(`there is no check of the effect of ${name}`);
  for (const [sent, type] of [
    [body.text, yaml],
    [protobuf.write(body.object), contentType],
  ] as const) {
    expectStatus(201, await api.post(collection, manifest.object), 'POST of the object');
    const answered = await api.post(`${path}/${name}`, sent, { contentType: type });
    assert.ok([200, 201].includes(answered.status), `POST of ${body.path} to ${name}: ${answered.text}`);
    await outcome(tested, body);
    await api.delete(`${path}?propagationPolicy=Background`);
  }
}
