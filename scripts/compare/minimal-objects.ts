import { isJsonObject } from '@orch/machinery/json';
import type { Exchange } from './exchange.ts';
import { fixtureLines } from './fixture-lines.ts';
import { apiVersionOf, collectionOf, isWritable, type ServedResource } from './served-resources.ts';

interface MinimalObject {
  readonly title: string;
  readonly kind: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** The minimal objects of the fixtures beside the kinds, each once. */
function minimalObjects(): readonly MinimalObject[] {
  const objects = fixtureLines<MinimalObject>('observed-defaults').flat();
  return [
    ...new Map(objects.map((object) => [JSON.stringify([object.kind, object.given]), object])).values(),
  ];
}

/** Creates, reads, updates, patches, applies and deletes minimal objects through every version of their kinds. */
export async function compareMinimalObjects(
  exchange: Exchange,
  resources: readonly ServedResource[],
): Promise<void> {
  exchange.begin('minimal objects');
  for (const { title, kind, given } of minimalObjects())
    for (const resource of resources.filter((one) => one.kind === kind && isWritable(one)))
      await compareObject(exchange, resource, {
        title,
        given: { apiVersion: apiVersionOf(resource), kind, ...given },
      });
}

interface Sample {
  readonly title: string;
  readonly given: Readonly<Record<string, unknown>>;
}

async function compareObject(
  exchange: Exchange,
  resource: ServedResource,
  { title, given }: Sample,
): Promise<void> {
  const collection = collectionOf(resource);
  const metadata = isJsonObject(given['metadata']) ? given['metadata'] : {};
  const path = `${collection}/${String(metadata['name'])}`;
  const send = (method: string, target: string, step: string, body?: object) =>
    exchange.send(method, target, {
      step: `${title}: ${step}`,
      ...(body === undefined ? {} : { body }),
      ...(step in patchTypes ? { contentType: patchTypes[step] ?? '' } : {}),
    });
  const labelled = (step: string): object => ({ ...given, metadata: { ...metadata, labels: { step } } });
  const created = await send('POST', collection, 'create', given);
  if (!isCreated(created.reference) || !isCreated(created.server)) {
    if (isCreated(created.reference) || isCreated(created.server))
      await send('DELETE', path, 'delete after a failure');
    return;
  }
  await send('GET', path, 'get');
  await send('PUT', path, 'update', labelled('update'));
  await send('PATCH', path, 'merge patch', { metadata: { labels: { step: 'patch' } } });
  await send('PATCH', path, 'JSON patch', [{ op: 'add', path: '/metadata/annotations', value: { a: 'b' } }]);
  await send('PATCH', `${path}?fieldManager=m&force=true`, 'apply', labelled('apply'));
  await send('GET', `${path}?resourceVersion=x`, 'get with an invalid resourceVersion');
  await send('POST', collection, 'create again', given);
  await send('POST', collection, 'create an unknown kind', { ...given, kind: 'Unknown' });
  await send('POST', `${collection}?fieldValidation=Strict`, 'create with an unknown field', {
    ...given,
    x: 1,
  });
  await send('DELETE', `${path}?gracePeriodSeconds=0`, 'delete');
  await exchange.settled(path);
  await send('GET', path, 'get after the delete');
}

const patchTypes: Readonly<Record<string, string>> = {
  'merge patch': 'application/merge-patch+json',
  'JSON patch': 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

const isCreated = (body: unknown): boolean => isJsonObject(body) && body['kind'] !== 'Status';
