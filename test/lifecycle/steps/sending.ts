import assert from 'node:assert/strict';
import { assertKept } from '../assert-kept.ts';
import { type Manifest, manifestsOf, readManifests } from '../manifests.ts';
import { collectionOf, type ServedKind, servedKind } from '../served-kinds.ts';
import { expectStatus, objectOf, yaml } from './context.ts';
import type { TestedServer } from './run-lifecycle.ts';

/** A kind that is not stored is answered in every format. */
export async function send(server: TestedServer, served: ServedKind, manifest: Manifest): Promise<void> {
  if (served.kind === 'Binding') await bind(server, served, manifest);
  else await sendRequest(server, served, manifest);
  expectStatus(405, await server.api.get(collectionOf(served)), 'nothing is stored');
}

/** A review answers its question, with the result. */
async function sendRequest(
  { api, protobuf }: TestedServer,
  served: ServedKind,
  manifest: Manifest,
): Promise<void> {
  const path = collectionOf(served);
  const asked = await api.post(path, manifest.text, { contentType: yaml });
  const answer = objectOf(expectStatus(201, asked, `POST of ${manifest.path}`));
  if (served.kind === 'SelfSubjectRulesReview') assert.deepEqual(answer['spec'], {});
  else assertKept(manifest.object, answer);
  assert.deepEqual([answer.apiVersion, answer.kind], [served.apiVersion, served.kind]);
  assert.ok(answer['status'], 'a review answers in its status');
  const { protobuf: contentType } = api.names.mediaTypes;
  const body = protobuf.write(manifest.object);
  const binary = await api.send('POST', path, { body, contentType, accept: contentType });
  const fromBinary = protobuf.read(expectStatus(201, binary, 'POST of Protobuf').bytes);
  assert.deepEqual(fromBinary['status'], answer['status'], 'Protobuf differs from JSON');
}

/** The pods that a body is for, made from their own manifest. */
async function withPod({ api, all }: TestedServer, name: string, act: (path: string) => Promise<void>) {
  const served = servedKind(all, 'v1', 'Pod');
  const pod = manifestsOf(readManifests(api.names), served).find(
    ({ object }) => object.metadata.name === name,
  );
  assert.ok(pod !== undefined, `there is a manifest of the pod ${name}`);
  const path = `${collectionOf(served)}/${name}`;
  expectStatus(201, await api.post(collectionOf(served), pod.object), 'POST of the pod');
  await act(path);
  await api.delete(path);
}

/** Both ways to bind a pod: the bindings resource, and the subresource of pods. */
async function bind(server: TestedServer, served: ServedKind, manifest: Manifest): Promise<void> {
  const { api, protobuf } = server;
  const { target } = manifest.object as unknown as { readonly target: { readonly name: string } };
  const name = manifest.object.metadata.name ?? '';
  const { protobuf: contentType } = api.names.mediaTypes;
  for (const body of [manifest.text, protobuf.write(manifest.object)]) {
    const type = typeof body === 'string' ? yaml : contentType;
    await withPod(server, name, async (path) => {
      for (const [to, code] of [
        [collectionOf(served), 201],
        [`${path}/binding`, 409],
      ] as const) {
        const answered = await api.post(to, body, { contentType: type });
        expectStatus(code, answered, `POST of ${manifest.path} to ${to}`);
        assert.equal((await api.get(path)).json.spec.nodeName, target.name);
      }
    });
  }
}
