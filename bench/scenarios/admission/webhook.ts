import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesFor } from '@orch/machinery';
import { BareClient } from '../../lib/bare-client.ts';
import { medianNote, middle, sideBySide } from '../../lib/compared.ts';
import { type BenchContext, type Subject, withBody } from '../../lib/context.ts';
import { againstFloor, type BenchResult, inTurns, type Measured } from '../../lib/measure.ts';
import { configMapOf } from '../../lib/pods.ts';
import { continued } from '../../lib/repeat.ts';

const TURNS = 300;
/** The compiler works in the background for thousands of requests. */
const WARM_UP_TURNS = 60;
/** Short turns: load of the machine changes within milliseconds. Starting a turn of the bare client costs as much as one request. */
const WRITES = 320;
const CONNECTIONS = 16;

/** CPU time that a review may cost beyond the request of a bare client, µs on the reference machine. */
const ALLOWANCE = 30;

const PARALLEL = 10;
const WAIT_MS = 20;
const WAITED_WRITES = 20;
const WAIT_TURNS = 5;
/** Maximum time of ten webhooks relative to that of one. */
const WAIT_FACTOR = 1.25;

const group = namesFor('kubernetes').group('admissionregistration');
const configurations = `/apis/${group}/v1/validatingwebhookconfigurations`;

/** A write with a validating webhook: its CPU beside the request of a bare client, and ten webhooks beside one. */
export async function validatingWebhook(context: BenchContext): Promise<readonly BenchResult[]> {
  const [reviewed, bare] = [await context.serverEmbedded(), await context.serverEmbedded()];
  const { target } = await context.reviewServer();
  const hook: Hook = {
    url: `https://${target.host}:${target.port}`,
    certPath: join(context.certDir, 'apiserver.crt'),
  };
  await configure(reviewed, hook, { name: 'review', resource: 'configmaps', path: '/review' });
  return [await costOfReview(hook, reviewed, bare), await timeOfReviews(hook, bare)];
}

/** Addresses of the webhooks of a configuration. */
interface Hook {
  readonly url: string;
  readonly certPath: string;
}

async function costOfReview(hook: Hook, reviewed: Subject, bare: Subject): Promise<BenchResult> {
  const create = (subject: Subject) =>
    continued(subject, {
      connections: CONNECTIONS,
      count: WRITES,
      request: (index) =>
        withBody(
          'POST',
          '/api/v1/namespaces/default/configmaps',
          JSON.stringify(configMapOf(`map-${index}`)),
        ),
    });
  await using client = new BareClient({ ...hook, connections: CONNECTIONS });
  const runs = { reviewed: create(reviewed), bare: create(bare), client: () => client.post(WRITES) };
  // The client sends the first review that the webhook has received.
  await runs.reviewed();
  await sideBySide(WARM_UP_TURNS, runs);
  const turns = await sideBySide(TURNS, runs);
  const differences = turns.reviewed.perTurn.map(
    (cost, turn) => cost - (turns.bare.perTurn[turn] ?? Number.NaN),
  );
  const value = middle(differences);
  const floor = turns.client.median;
  return {
    what: 'a validating webhook on kept connections, for each CREATE of a config map',
    unit: 'µs CPU',
    value,
    floor,
    ratio: value / floor,
    target: floor + ALLOWANCE,
    allowance: ALLOWANCE,
    note: `in addition to a server without webhooks (${turns.bare.median.toFixed(0)}); floor: node:https sends the same review; the target is the floor and ${ALLOWANCE} µs of the reference machine; ${medianNote(differences, 0)}`,
  };
}

/** Creations one after another, each with one webhook or with ten. */
async function timeOfReviews(hook: Hook, subject: Subject): Promise<BenchResult> {
  const path = `/wait/${WAIT_MS}`;
  await configure(subject, hook, { name: 'one', resource: 'secrets', path });
  await configure(subject, hook, { name: 'ten', resource: 'podtemplates', path, count: PARALLEL });
  const template = { spec: { containers: [{ name: 'c', image: 'i' }] } };
  const create = (resource: string, fields: object): (() => Promise<Measured>) =>
    continued(subject, {
      connections: 1,
      count: WAITED_WRITES,
      request: (index) =>
        withBody(
          'POST',
          `/api/v1/namespaces/default/${resource}`,
          JSON.stringify({ metadata: { name: `waited-${index}` }, ...fields }),
        ),
    });
  const runs = [create('podtemplates', { template }), create('secrets', {})] as const;
  await inTurns(1, runs);
  const [ten, one] = await inTurns(WAIT_TURNS, runs);
  return againstFloor(`CREATE with ${PARALLEL} validating webhooks that take ${WAIT_MS} ms each`, 'ms', {
    value: ten.wallMsPerOp,
    floor: one.wallMsPerOp,
    factor: WAIT_FACTOR,
    note: 'floor: CREATE with one of them; they are called in parallel',
  });
}

interface Reviewed {
  readonly name: string;
  readonly resource: string;
  readonly path: string;
  /** Number of webhooks; one when absent. */
  readonly count?: number;
}

async function configure(
  { server: { client } }: Subject,
  { url, certPath }: Hook,
  { name, resource, path, count = 1 }: Reviewed,
): Promise<void> {
  const caBundle = readFileSync(certPath).toString('base64');
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] };
  const webhooks = Array.from({ length: count }, (_, index) => ({
    name: `review-${index}.example.com`,
    clientConfig: { url: `${url}${path}`, caBundle },
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }));
  const { status, text } = await client.post(configurations, { metadata: { name }, webhooks });
  if (status !== 201) throw new Error(`webhook configuration: ${text}`);
  // The server applies what is in its cache; a list waits until it has the configuration.
  await client.get(configurations);
}
