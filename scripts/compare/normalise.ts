import { isJsonObject, type JsonObject } from '@orch/machinery/json';

/** A server allocates, counts or words the values of these fields. */
const allocated: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<revision>',
  continue: '<token>',
  clusterIP: '<address>',
  nodePort: '<port>',
  healthCheckNodePort: '<port>',
  serverAddress: '<server>',
  buildDate: '<build>',
  compiler: '<build>',
  gitCommit: '<build>',
  gitTreeState: '<build>',
  gitVersion: '<build>',
  goVersion: '<build>',
  platform: '<build>',
  description: '<words>',
};

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, '<time>'],
  [/\b[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, '<uid>'],
  [/-----BEGIN CERTIFICATE-----[\s\S]*-----END CERTIFICATE-----\s*/g, '<certificate>'],
  // The manager of what a server writes itself is named after its program.
  [/^\w+-apiserver$/, '<program>'],
  [/\?hash=\w+/g, '?hash=<hash>'],
  [/\b(127\.0\.0\.1|192\.0\.2\.1):\d+/g, '<server>'],
  [/\b10\.0\.0\.\d+\b/g, '<address>'],
  // A node port in a cell of a table.
  [/:3[0-2]\d{3}\//g, ':<port>/'],
];

/** Ports that an operating system selects, as both servers listen on. */
const MIN_FREE_PORT = 10_000;
const ports = new Set(['port', 'targetPort']);

/** The age of an object, as a cell of a table shows it. */
const age = /^(\d+[smhdy])+$/;

/**
 * An answer in which two servers with the same behaviour agree: what each allocates, counts, measures or words differently
 * has one value.
 */
export function normalised(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) {
    if (field === 'cells') return value.map((cell) => normaliseCell(cell));
    if (field === 'clusterIPs') return value.map(() => '<address>');
    if (field === 'causes') return distinctCauses(value);
    return value.map((item) => normalised(item));
  }
  if (isJsonObject(value)) {
    const hasOwnWords = value['kind'] === 'Status' || isCause(value) || isCondition(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        hasOwnWords && key === 'message' ? '<words>' : normalised(inner, key),
      ]),
    );
  }
  const isSet = value !== '' && value !== null && value !== 0 && value !== 'None';
  if (isSet && Object.hasOwn(allocated, field)) return allocated[field];
  if (ports.has(field) && Number(value) >= MIN_FREE_PORT) return '<port>';
  return typeof value === 'string' ? normaliseText(value) : value;
}

/** Reasons and fields of causes in one order, each once, in place of the messages in the words of each server. */
const distinctCauses = (causes: readonly unknown[]): unknown[] =>
  [
    ...new Set(
      causes.map((cause) =>
        isJsonObject(cause) ? JSON.stringify({ reason: cause['reason'], field: cause['field'] }) : cause,
      ),
    ),
  ].sort();

/** A cause of a refusal: its reason and field are facts, its message is in the words of each server. */
const isCause = (value: JsonObject): boolean => 'reason' in value && 'field' in value;

/** A condition of an object: its type, status and reason are facts. */
const isCondition = (value: JsonObject): boolean =>
  'type' in value && 'status' in value && 'lastTransitionTime' in value;

const normaliseCell = (cell: unknown): unknown =>
  typeof cell === 'string' && age.test(cell) ? '<age>' : normalised(cell, 'port');

const normaliseText = (text: string): string =>
  patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
