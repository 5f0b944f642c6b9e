import { namesFor } from '@orch/machinery';
import { corpusResource, definitionCorpus } from '@orch/testkit';
import { type BenchContext, type Subject, withBody, withoutBody } from '../../lib/context.ts';
import { DEFINITIONS } from '../../lib/custom-kind.ts';
import { servedResources } from '../../lib/many-definitions.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { send } from '../../lib/repeat.ts';
import { cpuMsOf, settled } from '../../lib/settled.ts';

const COUNT = 1300;
const CONNECTIONS = 8;

const GZIP = 'Accept-Encoding: gzip\r\n';
const names = namesFor('kubernetes');
const V2_PROTOBUF = `Accept: ${names.mediaTypes.openApiProtobuf}\r\n`;
const AGGREGATED = `Accept: application/json;g=${names.group('apidiscovery')};v=v2;as=APIGroupDiscoveryList\r\n`;

/** Resolves when the resources are served and the server has no more work: the documents are complete. */
async function served(subject: Subject, resources: number): Promise<void> {
  await settled(subject);
  const found = await servedResources(subject);
  if (found < resources) throw new Error(`${found} of ${resources} resources are served`);
}

/** The first requests of clients after so many definitions were created; each must be answered at once. */
const firstRequests = ({ group }: { readonly group: string }): readonly (readonly [string, Buffer])[] => [
  ['index of OpenAPI v3', withoutBody('/openapi/v3', GZIP)],
  ['OpenAPI v2 as Protobuf', withoutBody('/openapi/v2', `${GZIP}${V2_PROTOBUF}`)],
  ['OpenAPI v2 as JSON', withoutBody('/openapi/v2', GZIP)],
  ['aggregated discovery', withoutBody('/apis', `${GZIP}${AGGREGATED}`)],
  ['document that explain reads', withoutBody(`/openapi/v3/apis/${group}/v1`, GZIP)],
];

/** Definitions as many operators together publish them: served, documented, explained and listed by discovery. */
export async function definitionsOfOperators(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  const before = await servedResources(subject);
  const definitions = [...definitionCorpus({ count: COUNT, names })];
  const versions = definitions.flatMap(({ spec }) => (spec as { versions: readonly unknown[] }).versions);
  const bodies = definitions.map((definition) => JSON.stringify(definition));
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  const request = (index: number): Buffer => withBody('POST', DEFINITIONS, bodies[index] ?? '');
  const load = { connections: CONNECTIONS, count: COUNT, request };
  const creation = await cpuMsOf(subject, () => send(subject, load));
  const after = await cpuMsOf(subject, () => served(subject, before + versions.length));
  const what = `${COUNT} definitions of 5 to 900 kB, ${(bytes / 1e6).toFixed(0)} MB in all`;
  const rows: BenchResult[] = [
    {
      ...{ what: `${what}: their creation`, unit: 's CPU', value: creation / 1000, target: 12 },
      onReference: true,
      note: `${(creation / COUNT).toFixed(1)} ms each, until the last one is answered`,
    },
    {
      ...{
        what: `${what}: served and documented afterwards`,
        unit: 's CPU',
        value: after / 1000,
        target: 10,
      },
      onReference: true,
      note: 'OpenAPI v3, v2 as JSON and as Protobuf, and discovery; without a request for a document',
    },
  ];
  for (const [name, first] of firstRequests(corpusResource(COUNT - 1))) {
    const value = await cpuMsOf(subject, () =>
      send(subject, { connections: 1, count: 1, request: () => first }),
    );
    rows.push({ what: `${what}: first ${name}`, unit: 'ms CPU', value, target: 100, onReference: true });
  }
  return rows;
}
