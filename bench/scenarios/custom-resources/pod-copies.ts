import { type Subject, seedPods, withBody } from '../../lib/context.ts';
import { BENCH_GROUP, customPath, definitionOf, schemaOf, serve } from '../../lib/custom-kind.ts';
import { send } from '../../lib/repeat.ts';

type Fields = Readonly<Record<string, unknown>>;

export const pods = '/api/v1/namespaces/default/pods';
export const copies = customPath('podcopies');

const VERSION = `${BENCH_GROUP}/v1`;
const SAMPLES = 10;

/** A custom resource with the fields of a pod as it is stored, and as many bytes. */
function copyOf({ metadata, spec, status }: Fields): Fields {
  const { name, labels, annotations } = metadata as { name: string; labels: Fields; annotations: Fields };
  // The names of version and kind are longer, and the version is also in the managed fields: a note is shorter.
  const excess = 2 * (VERSION.length - 'v1'.length) + 'PodCopy'.length - 'Pod'.length;
  const note = String(annotations['example.com/note']).slice(excess);
  return {
    kind: 'PodCopy',
    apiVersion: VERSION,
    metadata: {
      name,
      namespace: 'default',
      labels,
      annotations: { ...annotations, 'example.com/note': note },
    },
    spec,
    status,
  };
}

/** Pods, and as many custom resources with the same fields of the same bytes. Returns the sizes of both lists. */
export async function seedPodsAndCopies(
  subject: Subject,
  count: number,
): Promise<{ readonly podBytes: number; readonly copyBytes: number }> {
  await seedPods(subject, count);
  const { client } = subject.server;
  const list = await client.get(`${pods}?resourceVersion=0`);
  const { items } = list.json as { readonly items: readonly Fields[] };
  const samples = items.slice(0, SAMPLES);
  const fields = {
    spec: schemaOf(samples.map(({ spec }) => spec)),
    status: schemaOf(samples.map(({ status }) => status)),
  };
  const version = { name: 'v1', fields, selectable: ['.spec.nodeName'] };
  await serve(subject, definitionOf({ plural: 'podcopies', kind: 'PodCopy', versions: [version] }));
  const request = (index: number): Buffer =>
    withBody('POST', copies, JSON.stringify(copyOf(items[index] ?? {})));
  await send(subject, { connections: 32, count, request });
  const { text } = await client.get(`${copies}?resourceVersion=0`);
  return { podBytes: list.text.length, copyBytes: text.length };
}
