import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { nodeAgentOptionsOf } from './node-agents.ts';
import { Reloads } from './reload/reloads.ts';

const authorityOf = (commonName: string) => testCertificate({ commonName, use: 'authority' });
const clientOf = (commonName: string) => testCertificate({ commonName, use: 'client' });

describe('certificates for node agents', () => {
  it('certificates for node agents are reloaded when their files change, and kept while they do not fit', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orch-agents-'));
    using _removed = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    const at = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const [first, authority] = [clientOf('first'), authorityOf('one')];
    const flags = {
      nodeAgentClientCertificate: at('a.crt', first.cert),
      nodeAgentClientKey: at('a.key', first.key),
      nodeAgentCertificateAuthority: at('ca.crt', authority.cert),
      nodeAgentAddressTypes: ['InternalIP'],
      nodeAgentTimeout: 5_000,
    };
    const env = testEnv();
    const reloads = new Reloads();
    const { trust } = nodeAgentOptionsOf(flags, { env, reloads });
    const before = trust?.();
    assert.deepEqual([before?.cert, before?.ca?.length], [first.cert, 1]);
    const stop = new AbortController();
    const running = reloads.run(stop.signal);
    const [second, both] = [clientOf('second'), `${authority.cert}${authorityOf('two').cert}`];
    at('a.crt', second.cert);
    await env.clock.advanceAsync(1_000);
    assert.equal(trust?.(), before);
    at('a.key', second.key);
    at('ca.crt', both);
    await env.clock.advanceAsync(1_000);
    const after = trust?.();
    assert.deepEqual([after?.cert, after?.key, after?.ca?.length], [second.cert, second.key, 2]);
    stop.abort();
    await running;
  });
});
