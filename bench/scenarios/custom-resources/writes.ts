import type { ApiObject } from '@orch/machinery';
import { besideOther, compared } from '../../lib/compared.ts';
import { ConditionalPuts } from '../../lib/conditional-puts.ts';
import { type BenchContext, type Subject, withBody } from '../../lib/context.ts';
import { customPath, definitionOf, serve } from '../../lib/custom-kind.ts';
import type { BenchResult, Measured } from '../../lib/measure.ts';
import { continued, send } from '../../lib/repeat.ts';
import { configMapRules, deploymentRules, withRules } from './rules.ts';
import { configMapShape, customOf, deploymentShape, type WriteShape } from './write-shapes.ts';

const TURNS = 9;
const WARM_UP_TURNS = 8;
const WRITES = 320;
const OBJECTS = 192;
const CONNECTIONS = 16;
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';

/** A collection to which the objects of a shape are written. */
interface Collection {
  readonly subject: Subject;
  readonly path: string;
  body(name: string, revision: number): ApiObject;
}

interface Target {
  readonly shape: WriteShape;
  readonly kinds: Readonly<Record<'builtIn' | 'custom' | 'withRules', Collection>>;
}

/** One kind of write: returns what `compared` runs. */
type Write = (collection: Collection, shape: WriteShape) => () => Promise<Measured>;

const nameOf = (index: number): string => `w-${index % OBJECTS}`;
const names = Array.from({ length: OBJECTS }, (_, index) => nameOf(index));

const sent = ({ subject }: Collection, request: (index: number) => Buffer): (() => Promise<Measured>) =>
  continued(subject, { connections: CONNECTIONS, count: WRITES, request });

const writes: Readonly<Record<string, Write>> = {
  CREATE: (collection) =>
    sent(collection, (index) =>
      withBody('POST', collection.path, JSON.stringify(collection.body(`c-${index}`, index))),
    ),
  PUT: ({ subject, path, body }) => {
    const puts = new ConditionalPuts(subject, {
      path,
      names,
      connections: CONNECTIONS,
      count: WRITES,
      body: (name, resourceVersion, index) => {
        const object = body(name, index);
        return { ...object, metadata: { ...object.metadata, resourceVersion } };
      },
    });
    return () => puts.run();
  },
  'merge PATCH': (collection, shape) =>
    sent(collection, (index) =>
      withBody('PATCH', `${collection.path}/${nameOf(index)}`, JSON.stringify(shape.patch(index)), MERGE),
    ),
  apply: (collection) =>
    sent(collection, (index) => {
      const name = `a-${nameOf(index)}`;
      const body = JSON.stringify(collection.body(name, index));
      return withBody('PATCH', `${collection.path}/${name}?fieldManager=bench&force=true`, body, APPLY);
    }),
};

/** Serves the custom kinds of a shape and creates the objects that are written. */
async function targetOf(subject: Subject, shape: WriteShape, ruled: WriteShape['fields']): Promise<Target> {
  const prefix = shape.path.split('/').at(-1);
  const custom = async (plural: string, kind: string, fields: WriteShape['fields']): Promise<Collection> => {
    await serve(subject, definitionOf({ plural, kind, versions: [{ name: 'v1', fields }] }));
    return {
      subject,
      path: customPath(plural),
      body: (name, revision) => customOf(shape, kind, shape.builtIn(name, revision)),
    };
  };
  const kinds = {
    builtIn: { subject, path: shape.path, body: shape.builtIn },
    custom: await custom(`${prefix}copies`, `${prefix}Copy`, shape.fields),
    withRules: await custom(`${prefix}checks`, `${prefix}Check`, ruled),
  };
  for (const { path, body } of Object.values(kinds)) {
    const request = (index: number): Buffer => withBody('POST', path, JSON.stringify(body(nameOf(index), 0)));
    await send(subject, { connections: CONNECTIONS, count: OBJECTS, request });
  }
  return { shape, kinds };
}

async function measureWrite(
  { shape, kinds }: Target,
  what: string,
  write: Write,
): Promise<readonly BenchResult[]> {
  const runs = {
    builtIn: write(kinds.builtIn, shape),
    custom: write(kinds.custom, shape),
    withRules: write(kinds.withRules, shape),
  };
  await compared(WARM_UP_TURNS, runs);
  const { builtIn, custom, withRules: ruled } = await compared(TURNS, runs);
  const row = (schema: string, factor: number) => ({
    what: `custom resource: ${what}, ${shape.name}, ${schema}`,
    unit: 'µs CPU' as const,
    factor,
    note: `beside ${shape.note}`,
  });
  return [
    besideOther(row('no rules', 1.2), custom, builtIn),
    besideOther(row('10 rules', 1.5), ruled, builtIn),
  ];
}

/** Writes of custom resources with 200 declared fields beside those of built-in kinds with the same values. */
export async function customWrites(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  const rows: BenchResult[] = [];
  for (const [shape, rules] of [
    [await deploymentShape(subject), deploymentRules],
    [configMapShape(), configMapRules],
  ] as const) {
    const target = await targetOf(subject, shape, withRules(shape.fields, rules));
    for (const [what, write] of Object.entries(writes))
      rows.push(...(await measureWrite(target, what, write)));
  }
  return rows;
}
