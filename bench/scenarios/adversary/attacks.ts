import { namesFor } from '@orch/machinery';
import { type Subject, withBody, withoutBody } from '../../lib/context.ts';
import { customPath, DEFINITIONS, definitionOf, serve } from '../../lib/custom-kind.ts';
import { numbered, seedDefinitions, smallFields } from '../../lib/many-definitions.ts';
import { podOf } from '../../lib/pods.ts';
import { send } from '../../lib/repeat.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const PODS = `${NAMESPACE}/pods`;
const MAPS = `${NAMESPACE}/configmaps`;
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const DEFINITIONS_SEEDED = 1000;
const CHANGES = 8;
const CONNECTIONS = 8;

/** Requests that cost much CPU, which an adversary repeats. */
export interface Attack {
  readonly what: string;
  /** Makes the objects that the requests need. */
  prepare?(subject: Subject): Promise<unknown>;
  /** One request; `index` counts them. */
  readonly request: (index: number) => Buffer;
}

const entries = (count: number, of: (index: number) => readonly [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));

const mapOf = (name: string, more: object): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });

const podWith = (container: object): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'large' },
    spec: { containers: [{ name: 'main', image: 'i', ...container }] },
  });

const repeated = (request: Buffer) => (): Buffer => request;

const post = (path: string, body: string): Buffer => withBody('POST', `${path}?dryRun=All`, body);

async function expectStatus(
  answer: Promise<{ status: number; text: string }>,
  status: number,
): Promise<void> {
  const { status: actual, text } = await answer;
  if (actual !== status) throw new Error(`${actual}: ${text.slice(0, 300)}`);
}

const wide = (): Record<string, string> => entries(60_000, (i) => [`key-${i}`, String(i)]);

/** A config map in YAML that only the full parser reads. */
const anchored = (): string =>
  [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: {name: anchored}',
    'data:',
    '  first: &first "1"',
    '  second: *first',
    ...Object.entries(wide()).map(([key, value]) => `  ${key}: "${value}"`),
    '',
  ].join('\n');

function writes(): readonly Attack[] {
  const resources = entries(30_000, (i) => [`example.com/resource-${i}`, '1']);
  const env = Array.from({ length: 30_000 }, (_, i) => ({ name: `V_${i}`, value: String(i) }));
  const applied = mapOf('applied', { data: wide() });
  return [
    {
      what: 'dry runs of a pod with 30,000 extended resources',
      request: repeated(post(PODS, podWith({ resources: { limits: resources, requests: resources } }))),
    },
    { what: 'dry runs of a pod with 30,000 variables', request: repeated(post(PODS, podWith({ env }))) },
    {
      what: 'dry runs of a config map with 60,000 keys',
      request: repeated(post(MAPS, mapOf('w', { data: wide() }))),
    },
    {
      what: 'dry runs of a config map with 3 MB in a key',
      request: repeated(post(MAPS, mapOf('t', { data: { text: 'x'.repeat(3_000_000) } }))),
    },
    {
      what: 'dry runs of a config map with 60,000 keys in YAML with an anchor',
      request: repeated(withBody('POST', `${MAPS}?dryRun=All`, anchored(), 'application/yaml')),
    },
    {
      what: 'bodies of 4 MB, which are refused',
      request: repeated(withBody('POST', MAPS, 'x'.repeat(4_000_000))),
    },
    {
      what: 'applies of a config map with 60,000 keys',
      request: repeated(
        withBody(
          'PATCH',
          `${MAPS}/fresh?fieldManager=a&force=true&dryRun=All`,
          mapOf('fresh', { data: wide() }),
          APPLY,
        ),
      ),
    },
    {
      what: '20-byte patches of an applied config map with 60,000 keys',
      prepare: (subject) =>
        expectStatus(
          subject.server.client.send('PATCH', `${MAPS}/applied?fieldManager=a`, {
            body: applied,
            headers: { 'content-type': APPLY },
          }),
          201,
        ),
      request: (index) => withBody('PATCH', `${MAPS}/applied`, `{"data":{"count":"${index}"}}`, MERGE),
    },
    {
      what: 'reads of the applied config map as YAML',
      request: repeated(withoutBody(`${MAPS}/applied`, 'Accept: application/yaml\r\n')),
    },
  ];
}

const names = namesFor('kubernetes');
const SELECTED_VALUES = 7000;
/** A selector that takes nearly all of the longest head of a request. */
const longSelector = (): string =>
  encodeURIComponent(`a in (${Array.from({ length: SELECTED_VALUES }, (_, i) => `v${i}`).join(',')})`);
const AS_TABLE = `Accept: application/json;as=Table;v=v1;g=${names.group('meta')}\r\n`;

function reads(pods: number): readonly Attack[] {
  const read = (what: string, path: string, headers = ''): Attack => ({
    what: `${what} of ${pods} pods`,
    request: repeated(withoutBody(path, headers)),
  });
  return [
    {
      ...read('lists', PODS),
      prepare: (subject) =>
        send(subject, {
          connections: CONNECTIONS,
          count: pods,
          request: (index) => withBody('POST', PODS, JSON.stringify(podOf(index))),
        }),
    },
    read('lists as tables', PODS, AS_TABLE),
    read('lists with gzip', PODS, 'Accept-Encoding: gzip\r\n'),
    read('lists in Protobuf', PODS, 'Accept: application/vnd.kubernetes.protobuf\r\n'),
    read('lists with selectors that match none', `${PODS}?labelSelector=a!%3Db,c%3Dd&limit=1`),
    read(
      `lists with selectors of ${SELECTED_VALUES} values`,
      `${PODS}?labelSelector=${longSelector()}&limit=1`,
    ),
    read('starts of watches', `${PODS}?watch=1&timeoutSeconds=1`),
    {
      what: `dry-run deletions of ${pods} pods`,
      request: repeated(
        Buffer.from(`DELETE ${PODS}?dryRun=All HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`),
      ),
    },
  ];
}

const HISTORY = `/history${MAPS}/changed`;

const others = (): readonly Attack[] => [
  {
    what: 'pages of the history of a config map with 20,000 keys',
    prepare: async ({ server: { client } }) => {
      const data = entries(20_000, (i) => [`key-${i}`, String(i)]);
      await expectStatus(client.post(MAPS, JSON.parse(mapOf('changed', { data }))), 201);
      for (let i = 0; i < CHANGES; i++)
        await expectStatus(
          client.send('PATCH', `${MAPS}/changed`, {
            body: JSON.stringify({ data: { count: String(i) } }),
            headers: { 'content-type': MERGE },
          }),
          200,
        );
    },
    request: repeated(withoutBody(HISTORY)),
  },
  {
    what: 'dry runs of a custom object whose rules have large inputs',
    prepare: (subject) => serve(subject, ruled()),
    request: repeated(
      post(
        customPath('ruled'),
        JSON.stringify({
          apiVersion: 'bench.example.com/v1',
          kind: 'Ruled',
          metadata: { name: 'r' },
          spec: { list: Array.from({ length: 20_000 }, (_, i) => `item-${i}`) },
        }),
      ),
    ),
  },
  {
    what: `discovery and OpenAPI with ${DEFINITIONS_SEEDED} definitions, one of which changes`,
    prepare: (subject) =>
      seedDefinitions(
        subject,
        Array.from({ length: DEFINITIONS_SEEDED }, (_, i) => numbered(i, 50, smallFields())),
      ),
    request: (index) => {
      switch (index % 3) {
        case 0:
          return withBody(
            'PATCH',
            `${DEFINITIONS}/kinds0.g0.bench.example.com`,
            `{"spec":{"names":{"shortNames":["s${index}"]}}}`,
            MERGE,
          );
        case 1:
          return withoutBody('/openapi/v2');
        default:
          return withoutBody(
            '/apis',
            `Accept: application/json;g=${names.group('apidiscovery')};v=v2;as=APIGroupDiscoveryList\r\n`,
          );
      }
    },
  },
];

/** A definition with a rule that visits each of many items. */
const ruled = () =>
  definitionOf({
    plural: 'ruled',
    kind: 'Ruled',
    versions: [
      {
        name: 'v1',
        fields: {
          spec: {
            type: 'object',
            properties: {
              list: {
                type: 'array',
                maxItems: 20_000,
                items: { type: 'string', maxLength: 20 },
                'x-kubernetes-validations': [{ rule: "self.all(x, x.startsWith('item') && x != '')" }],
              },
            },
          },
        },
      },
    ],
  });

/** All attacks, in the order in which their objects are made. */
export const attacksOn = (pods: number): readonly Attack[] => [...writes(), ...reads(pods), ...others()];
