import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WebhookService } from '@orch/definitions';
import { errors } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import type { CoreObjects } from '@orch/registry';
import { sendJson, WebhookServer } from '../testing/webhook-server.ts';
import { webhookOpener } from './webhook-opener.ts';

const service: WebhookService = { namespace: 'system', name: 'converter', port: 443, path: '/convert?x=1' };
const noObjects: CoreObjects = {
  fresh: async () => {},
  find: () => undefined,
  get(kind, _namespace, name) {
    throw errors.notFound({ group: '', kind, name });
  },
};
const { signal } = new AbortController();
const body = Buffer.from('{"request":{"objects":[]}}');
const SERVICE_HOST = 'converter.system.svc';

const opener = (webhook: WebhookServer) =>
  webhookOpener({
    objects: noObjects,
    random: seededRandom(1),
    addressOf: () => ({ host: '127.0.0.1', port: webhook.port }),
  });
const caOf = (webhook: WebhookServer): string => Buffer.from(webhook.caBundle, 'base64').toString();
const answering = (hosts: readonly string[]): Promise<WebhookServer> =>
  WebhookServer.start((_review, response) => sendJson(response, { ok: true }), hosts);

describe('a webhook behind a service', () => {
  it('is called at an endpoint of the service, under the name of the service', async () => {
    await using webhook = await answering([SERVICE_HOST]);
    using call = opener(webhook)({ at: service, ca: caOf(webhook) });
    assert.deepEqual(await call(body, signal), { ok: true });
    assert.deepEqual(webhook.requests, [`${SERVICE_HOST}:443 /convert?x=1`]);
  });

  it('is refused when its certificate is valid for its address only', async () => {
    await using webhook = await answering(['127.0.0.1']);
    using call = opener(webhook)({ at: service, ca: caOf(webhook) });
    await assert.rejects(
      call(body, signal),
      /Post "https:\/\/converter\.system\.svc:443\/convert\?x=1": .*altnames/,
    );
    assert.equal(webhook.requests.length, 0);
  });

  it('that does not exist is reported', async () => {
    using call = webhookOpener({ objects: noObjects, random: seededRandom(1) })({
      at: service,
      ca: undefined,
    });
    await assert.rejects(call(body, signal), /services "converter" not found/);
  });
});

describe('a webhook at a URL', () => {
  it('is refused when its certificate has another issuer than the definition names', async () => {
    await using webhook = await answering(['127.0.0.1']);
    await using other = await answering(['127.0.0.1']);
    using call = opener(webhook)({ at: webhook.url, ca: caOf(other) });
    await assert.rejects(call(body, signal), /Post ".*": .*certificate/);
    assert.equal(webhook.requests.length, 0);
  });

  it('is not called without TLS', async () => {
    await using webhook = await answering(['127.0.0.1']);
    using call = opener(webhook)({ at: webhook.url.replace('https:', 'http:'), ca: undefined });
    await assert.rejects(call(body, signal), /the URL must begin with https/);
  });

  it('is named without its query in messages', async () => {
    await using webhook = await answering(['127.0.0.1']);
    webhook.answer = (_review, response) => sendJson(response, {}, 503);
    using call = opener(webhook)({ at: `${webhook.url}?token=secret`, ca: caOf(webhook) });
    await assert.rejects(call(body, signal), ({ message }: Error) => !message.includes('secret'));
  });
});
