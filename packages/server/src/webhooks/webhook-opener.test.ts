import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WebhookService } from '@orch/auth';
import { errors } from '@orch/machinery';
import { systemClock } from '@orch/machinery/env';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import type { ResolveName } from '@orch/outbound';
import type { CoreObjects } from '@orch/registry';
import { sendJson, WebhookServer } from '../testing/webhook-server.ts';
import { webhookOpener } from './webhook-opener.ts';

const service: WebhookService = { namespace: 'system', name: 'converter', port: 443, path: '/convert?x=1' };
const noObjects: CoreObjects = {
  fresh: async () => {},
  find: () => undefined,
  slices: () => [],
  get(kind, _namespace, name) {
    throw errors.notFound({ group: '', kind, name });
  },
};
const { signal } = new AbortController();
const request = { body: Buffer.from('{"request":{"objects":[]}}'), maxAnswerBytes: 10_000 };
const SERVICE_HOST = 'converter.system.svc';

const opener = (webhook: WebhookServer) =>
  webhookOpener({
    objects: noObjects,
    random: seededRandom(1),
    clock: systemClock,
    addressOf: () => ({ host: '127.0.0.1', port: webhook.port }),
  });
const caOf = (webhook: WebhookServer): string => Buffer.from(webhook.caBundle, 'base64').toString();
const answering = (hosts: readonly string[]): Promise<WebhookServer> =>
  WebhookServer.start((_review, response) => sendJson(response, { ok: true }), hosts);

describe('a webhook behind a service', () => {
  it('a webhook behind a service is called at an endpoint of the service, under the name of the service', async () => {
    await using webhook = await answering([SERVICE_HOST]);
    using call = opener(webhook)({ at: service, ca: caOf(webhook) });
    assert.deepEqual(await call(request, signal), { ok: true });
    assert.deepEqual(webhook.requests, [`${SERVICE_HOST}:443 /convert?x=1`]);
  });

  it('a webhook behind a service is refused when its certificate is valid for its address only', async () => {
    await using webhook = await answering(['127.0.0.1']);
    using call = opener(webhook)({ at: service, ca: caOf(webhook) });
    await assert.rejects(
      call(request, signal),
      /Post "https:\/\/converter\.system\.svc:443\/convert\?x=1": .*altnames/,
    );
    assert.equal(webhook.requests.length, 0);
  });

  it('a webhook behind a service is not called on this machine by a service of type ExternalName', async () => {
    await using webhook = await answering([SERVICE_HOST]);
    const resolved: string[] = [];
    using call = webhookOpener({
      objects: noObjects,
      random: seededRandom(1),
      clock: systemClock,
      addressOf: () => ({ host: 'hooks.example.com', port: webhook.port }),
      resolve(name, _options, callback) {
        resolved.push(name);
        callback(null, [{ address: '127.0.0.1', family: 4 }]);
      },
    })({ at: service, ca: caOf(webhook) });
    await assert.rejects(call(request, signal), /address not allowed/);
    assert.deepEqual([resolved, webhook.requests.length], [['hooks.example.com'], 0]);
  });

  it('a webhook behind a service that does not exist is reported', async () => {
    using call = webhookOpener({ objects: noObjects, random: seededRandom(1), clock: systemClock })({
      at: service,
      ca: undefined,
    });
    await assert.rejects(call(request, signal), /services "converter" not found/);
  });
});

describe('a webhook at a URL', () => {
  it('a webhook at a URL is refused when its certificate has another issuer than the definition names', async () => {
    await using webhook = await answering(['127.0.0.1']);
    await using other = await answering(['127.0.0.1']);
    using call = opener(webhook)({ at: webhook.url, ca: caOf(other) });
    await assert.rejects(call(request, signal), /Post ".*": .*certificate/);
    assert.equal(webhook.requests.length, 0);
  });

  it('a webhook at a URL is requested without empty segments of the path, as controller-runtime writes them for tests', async () => {
    await using webhook = await answering(['127.0.0.1']);
    const { origin, host } = new URL(webhook.url);
    for (const [path, requested] of [
      ['', '/'],
      ['//mutate', '/mutate'],
      ['/a//b///c/', '/a/b/c'],
      ['//other.example.com/x', '/other.example.com/x'],
    ] as const) {
      using call = opener(webhook)({ at: `${origin}${path}`, ca: caOf(webhook) });
      await call(request, signal);
      assert.deepEqual(webhook.requests.splice(0), [`${host} ${requested}`]);
    }
  });

  it('a webhook at a URL is not called without TLS', async () => {
    await using webhook = await answering(['127.0.0.1']);
    using call = opener(webhook)({ at: webhook.url.replace('https:', 'http:'), ca: undefined });
    await assert.rejects(call(request, signal), /the URL must begin with https/);
  });

  it('a webhook at a URL is named without its query in messages', async () => {
    await using webhook = await answering(['127.0.0.1']);
    webhook.answer = (_review, response) => sendJson(response, {}, 503);
    using call = opener(webhook)({ at: `${webhook.url}?token=secret`, ca: caOf(webhook) });
    await assert.rejects(call(request, signal), ({ message }: Error) => !message.includes('secret'));
  });

  it('a webhook at a URL is refused at addresses where clouds serve credentials', async () => {
    for (const host of ['169.254.169.254', '[fe80::1]', '0.0.0.0', '[::ffff:169.254.169.254]']) {
      using call = webhookOpener({ objects: noObjects, random: seededRandom(1), clock: systemClock })({
        at: `https://${host}/latest`,
        ca: undefined,
      });
      await assert.rejects(call(request, signal), /address not allowed/);
    }
  });

  it('a webhook at a URL is connected to at the address that was checked, when the name server answers differently the next time', async () => {
    await using webhook = await answering(['webhook.example.com']);
    const answers = ['127.0.0.1', '169.254.169.254'];
    const resolved: string[] = [];
    const resolve: ResolveName = (name, _options, callback) => {
      resolved.push(name);
      callback(null, [{ address: answers[resolved.length - 1] ?? '', family: 4 }]);
    };
    const at = `https://webhook.example.com:${webhook.port}/`;
    using call = webhookOpener({ objects: noObjects, random: seededRandom(1), clock: systemClock, resolve })({
      at,
      ca: caOf(webhook),
    });
    await call(request, signal);
    await call(request, signal);
    assert.deepEqual([webhook.requests.length, resolved], [2, ['webhook.example.com']]);
    await webhook.stop();
    await webhook.start();
    await assert.rejects(call(request, signal), /address not allowed/);
    assert.equal(webhook.requests.length, 2);
  });

  it('a webhook at a URL is counted when its certificate has no alternative names', async () => {
    const { metrics } = testEnv();
    const resolve: ResolveName = (_name, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const open = webhookOpener({
      objects: noObjects,
      random: seededRandom(1),
      clock: systemClock,
      resolve,
      metrics,
    });
    for (const [hosts, count] of [
      [['webhook'], 0],
      [[], 1],
    ] as const) {
      await using webhook = await answering(hosts);
      using call = open({ at: `https://webhook:${webhook.port}/`, ca: caOf(webhook) });
      await call(request, signal);
      assert.match(metrics.text(), new RegExp(`^apiserver_webhooks_x509_missing_san_total ${count}$`, 'm'));
    }
  });

  it('a webhook at a URL receives no request after a redirect, and no credentials at its target', async () => {
    await using target = await answering(['127.0.0.1']);
    await using webhook = await answering(['127.0.0.1']);
    webhook.answer = (_review, response) => {
      response.writeHead(307, { location: target.url });
      response.end();
    };
    using call = opener(webhook)({ at: webhook.url, ca: caOf(webhook) });
    await assert.rejects(call(request, signal), /it answered 307/);
    assert.equal(target.requests.length, 0);
  });

  it('a webhook at a URL is not read beyond the limit of its answer', async () => {
    await using webhook = await answering(['127.0.0.1']);
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const part = Buffer.alloc(64 * 1024, 'x');
    webhook.answer = (_review, response) => {
      const write = (): void => {
        while (written < 1024 ** 3) {
          written += part.length;
          if (!response.write(part)) {
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      response.on('close', () => closed.resolve());
      write();
    };
    using call = opener(webhook)({ at: webhook.url, ca: caOf(webhook) });
    await assert.rejects(call(request, signal), /its answer is too large/);
    await closed.promise;
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes were sent`);
  });

  it('a webhook at a URL gets the credentials of its address', async () => {
    await using webhook = await answering(['127.0.0.1']);
    const credentials = { identity: undefined, authorization: 'Bearer t' };
    using call = opener(webhook)({ at: webhook.url, ca: caOf(webhook), credentials });
    await call(request, signal);
    assert.deepEqual(webhook.authorizations, ['Bearer t']);
  });

  it('a webhook at a URL keeps its connections until calls have ended, when it is disposed', async () => {
    await using webhook = await answering(['127.0.0.1']);
    const answer = Promise.withResolvers<void>();
    webhook.answer = (_review, response) => void answer.promise.then(() => sendJson(response, { ok: true }));
    const call = opener(webhook)({ at: webhook.url, ca: caOf(webhook) });
    const called = call(request, signal);
    while (webhook.requests.length === 0) await new Promise(setImmediate);
    call[Symbol.dispose]();
    answer.resolve();
    assert.deepEqual(await called, { ok: true });
  });
});
