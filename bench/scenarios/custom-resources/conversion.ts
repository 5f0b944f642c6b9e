import { type Review, WebhookServer } from '@orch/server/testing';
import { besideOther, compared } from '../../lib/compared.ts';
import { type BenchContext, type Subject, withBody, withoutBody } from '../../lib/context.ts';
import { customPath, definitionOf, serve } from '../../lib/custom-kind.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { continued, send } from '../../lib/repeat.ts';

/** Many short turns: the load of the machine changes less within a turn, and a collection of garbage affects few of them. */
const TURNS = 101;
const LISTS_PER_TURN = 10;
const WARM_UP_TURNS = 12;
const FACTOR = 1.1;
const text = { type: 'string' };

const path = (version: string): string => customPath('gates', version);

/** Each version has a field that the other one does not have; their names have the same length. */
const fieldsOf = (address: string): Readonly<Record<string, unknown>> => ({
  spec: {
    type: 'object',
    properties: { [address]: text, tier: text, replicas: { type: 'integer' }, notes: text },
  },
});

function convert(object: Review, apiVersion: string): Review {
  const { addressV1, addressV2, ...rest } = object.spec;
  const spec = apiVersion.endsWith('v2')
    ? { addressV2: addressV1, ...rest }
    : { addressV1: addressV2, ...rest };
  return { ...object, apiVersion, spec };
}

const startWebhook = (): Promise<WebhookServer> =>
  WebhookServer.start(({ apiVersion, kind, request }, response) => {
    const convertedObjects = request.objects.map((one: Review) => convert(one, request.desiredAPIVersion));
    const answer = { uid: request.uid, result: { status: 'Success' }, convertedObjects };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ apiVersion, kind, response: answer }));
  });

async function seedGates(subject: Subject, webhook: WebhookServer, count: number): Promise<void> {
  const versions = [
    { name: 'v1', fields: fieldsOf('addressV1') },
    { name: 'v2', fields: fieldsOf('addressV2') },
  ];
  const clientConfig = { url: webhook.url, caBundle: webhook.caBundle };
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig, conversionReviewVersions: ['v1'] },
  };
  await serve(subject, definitionOf({ plural: 'gates', kind: 'Gate', versions, conversion }));
  const request = (index: number): Buffer =>
    withBody(
      'POST',
      path('v1'),
      JSON.stringify({
        apiVersion: 'bench.example.com/v1',
        kind: 'Gate',
        metadata: { name: `gate-${index}` },
        spec: { addressV1: `host-${index}`, tier: 'usual', replicas: index, notes: 'x'.repeat(100) },
      }),
    );
  await send(subject, { connections: 32, count, request });
}

/** Lists that a webhook converted before, beside lists in the version that is stored. */
export async function customConversion(
  context: BenchContext,
  count: number,
): Promise<readonly BenchResult[]> {
  const subject = await context.serverOnEtcd('/bench-conversion');
  await using webhook = await startWebhook();
  await seedGates(subject, webhook, count);
  const rows: BenchResult[] = [];
  for (const [how, query] of [
    ['rv=0', '?resourceVersion=0'],
    ['unset', ''],
    ['chunk of 500, rv=0', '?limit=500&resourceVersion=0'],
  ] as const) {
    const list = (version: string) =>
      continued(subject, {
        connections: 1,
        count: LISTS_PER_TURN,
        request: () => withoutBody(`${path(version)}${query}`),
      });
    const runs = { stored: list('v1'), converted: list('v2') };
    await compared(WARM_UP_TURNS, runs);
    const reviews = webhook.reviews.length;
    const { stored, converted } = await compared(TURNS, runs);
    if (webhook.reviews.length !== reviews) throw new Error('objects were converted a second time');
    const what = `custom resource: LIST ${count} converted by a webhook before, ${how}`;
    const note = `beside the list in the storage version; ${reviews} reviews before, none during the turns`;
    rows.push(besideOther({ what, unit: 'ms CPU', factor: FACTOR, note }, converted, stored));
  }
  return rows;
}
