/**
 * An extension API server, as a program with a certificate, its key, `h1` or `h2`, and the address to listen on; prints its
 * port as JSON. It serves its discovery document, the stored object at any other path, and watches, each of which stays open
 * after one event.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { largePod, podOf } from './pods.ts';

const [certPath = '', keyPath = '', protocol = 'h2', address = '127.0.0.1'] = process.argv.slice(2);
const tls = { cert: readFileSync(certPath), key: readFileSync(keyPath) };
const object = Buffer.from(JSON.stringify(podOf(0, largePod)));
const event = Buffer.from(`{"type":"ADDED","object":${object}}\n`);
const json = { 'content-type': 'application/json' };

/** `/apis/GROUP/VERSION` */
const documentPath = /^\/apis\/([^/?]+)\/([^/?]+)\/?$/;

function documentOf(group: string, version: string): Buffer {
  const names = { name: 'things', singularName: 'thing', kind: 'Thing', namespaced: true };
  const resources = [{ ...names, verbs: ['get', 'list', 'watch'] }];
  const groupVersion = `${group}/${version}`;
  return Buffer.from(JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }));
}

// Both kinds of requests have what is used of them.
function answer(request: Http2ServerRequest, response: Http2ServerResponse): void {
  const { url } = request;
  if (url.includes('watch=')) {
    response.writeHead(200, json);
    response.write(event);
    return;
  }
  if (url.startsWith('/openapi/')) {
    response.writeHead(404, { 'content-length': 0 });
    response.end();
    return;
  }
  const [, group, version] = documentPath.exec(url) ?? [];
  const body = group === undefined || version === undefined ? object : documentOf(group, version);
  response.writeHead(200, { ...json, 'content-length': body.length });
  response.end(body);
}

const server: Server =
  protocol === 'h2'
    ? createSecureServer(tls, answer)
    : createServer({ ...tls, noDelay: true }, answer as unknown as () => void);
server.listen(0, address);
await once(server, 'listening');
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
