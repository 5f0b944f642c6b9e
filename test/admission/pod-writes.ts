import type { ApiClient, ApiResponse } from '@orch/testkit';
import type { ApiItem } from '../api/fixture.ts';

/** Fields of a pod that a write sets. */
export interface PodFields {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Requests by their names, which are sent when they are called. */
export type Writes = Readonly<Record<string, () => Promise<ApiResponse>>>;

const patchTypes = {
  'JSON patch': 'json-patch+json',
  'merge patch': 'merge-patch+json',
  'strategic merge patch': 'strategic-merge-patch+json',
  apply: 'apply-patch+yaml',
} as const;

/** The same writes unchanged and as dry runs; paths have parameters already. */
const withDryRuns = (
  writes: Readonly<Record<string, (parameters: string) => Promise<ApiResponse>>>,
): Writes =>
  Object.fromEntries(
    Object.entries(writes).flatMap(([name, write]) => [
      [name, () => write('fieldManager=test')],
      [`${name}, dry run`, () => write('fieldManager=test&dryRun=All')],
    ]),
  );

const podOf = (name: string, { metadata, spec }: PodFields) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'allowed:1' }], ...spec },
});

/** All ways to create a pod with these fields. */
export function creations(client: ApiClient, path: string, fields: PodFields): Writes {
  const pod = podOf('wrong', fields);
  const { name: _, ...unnamed } = pod.metadata;
  const generated = { ...pod, metadata: { ...unnamed, generateName: 'wrong-' } };
  return withDryRuns({
    create: (parameters) => client.post(`${path}?${parameters}`, pod),
    'create as YAML': (parameters) =>
      client.send('POST', `${path}?${parameters}`, { body: pod, contentType: 'application/yaml' }),
    'create with a generated name': (parameters) => client.post(`${path}?${parameters}`, generated),
    'create by apply': (parameters) =>
      client.send('PATCH', `${path}/wrong?${parameters}`, {
        body: pod,
        contentType: 'application/apply-patch+yaml',
      }),
  });
}

/** All ways to set these fields of a stored pod, or of one of its subresources. */
export function updates(
  client: ApiClient,
  path: string,
  { kept, fields }: { readonly kept: ApiItem; readonly fields: PodFields },
): Writes {
  const { name } = kept.metadata;
  const replaced = {
    ...kept,
    metadata: { ...kept.metadata, ...fields.metadata },
    spec: { ...kept.spec, ...fields.spec },
  };
  const bodies: Readonly<Record<keyof typeof patchTypes, object>> = {
    'JSON patch': (['metadata', 'spec'] as const).flatMap((part) =>
      Object.entries(fields[part] ?? {}).map(([field, value]) => ({
        op: 'add',
        path: `/${part}/${field}`,
        value,
      })),
    ),
    'merge patch': fields,
    'strategic merge patch': fields,
    apply: { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...fields.metadata }, spec: fields.spec },
  };
  const patch = (type: keyof typeof patchTypes) => (parameters: string) =>
    client.send('PATCH', `${path}?${parameters}${type === 'apply' ? '&force=true' : ''}`, {
      body: bodies[type],
      contentType: `application/${patchTypes[type]}`,
    });
  return withDryRuns({
    replace: (parameters) => client.put(`${path}?${parameters}`, replaced),
    'JSON patch': patch('JSON patch'),
    'merge patch': patch('merge patch'),
    'strategic merge patch': patch('strategic merge patch'),
    apply: patch('apply'),
  });
}
