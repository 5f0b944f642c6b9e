import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { testCertificate } from '@orch/pki/x509/testing';
import { Watches } from './watches.ts';

const notAfter = Date.now() + 86_400_000;
const authority = testCertificate({ commonName: 'soak', use: 'authority', notAfter });
const certificate = testCertificate({ commonName: 'server', use: 'server', notAfter }, authority);

/** A server that resets the first connections, as one that is killed, and then answers lists. */
async function resettingServer(resets: number, items: readonly object[]) {
  let left = resets;
  const server = createServer({ ...certificate }, (request, response) => {
    if (left-- > 0) request.socket.destroy();
    else response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    config: {
      server: `https://127.0.0.1:${port}`,
      ca: Buffer.from(authority.cert),
      cert: undefined,
      key: undefined,
      token: undefined,
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('watches of a soak run', () => {
  it('watches of a soak run are compared with a list that a killed server answers later', async () => {
    await using server = await resettingServer(2, []);
    const watches = new Watches([server.config], '1');
    assert.equal(await watches.compare(), 1);
    assert.deepEqual(watches.violations, []);
  });

  it('watches of a soak run are not compared when no list is answered, which breaks no promise', async () => {
    await using server = await resettingServer(Number.POSITIVE_INFINITY, []);
    const watches = new Watches([server.config], '1', { waitMs: 50 });
    assert.equal(await watches.compare(), 0);
    assert.deepEqual(watches.violations, []);
  });

  it('watches of a soak run that have another state than the list break a promise', async () => {
    await using server = await resettingServer(0, [{ metadata: { name: 'a', resourceVersion: '1' } }]);
    const watches = new Watches([server.config], '1', { waitMs: 50 });
    assert.equal(await watches.compare(), 1);
    assert.match(watches.violations.join(), /watch 0 has \[\], a list \[\["a","1"\]\]/);
  });
});
