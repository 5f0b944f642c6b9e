/**
 * The floor of the write benchmarks: a process with a bare Node HTTPS server that puts each body into etcd with one
 * transaction and sends it back. Started as a program with a certificate, its key and the endpoints of etcd; prints
 * its port as JSON.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { openEtcdStore } from '@orch/storage/etcd';

const [certPath = '', keyPath = '', endpoints = ''] = process.argv.slice(2);
const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const store = await openEtcdStore({ endpoints: endpoints.split(','), env });
const { signal } = new AbortController();
let next = 0;

const server = createServer(
  { cert: readFileSync(certPath), key: readFileSync(keyPath) },
  async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const value = Buffer.concat(chunks);
    const { ok } = await store.commit(
      { op: 'create', key: `/bench-floor/${process.pid}/${next++}`, value },
      signal,
    );
    response.writeHead(ok ? 201 : 409, {
      'content-type': 'application/json',
      'content-length': value.length,
    });
    response.end(value);
  },
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(JSON.stringify(server.address()));
