import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestAuthority, type EtcdCluster, startEtcd } from '@orch/storage/testing';
import { run, temporaryFolder } from '@orch/testkit';

const program = join(import.meta.dirname, '..', '..', 'bin', 'orch-apiserver');
const other = createTestAuthority();

/** The servers and files of the tests. */
interface Place {
  /** An etcd with TLS, which requires client certificates. */
  readonly secure: string;
  /** An etcd without TLS. */
  readonly plain: string;
  /** A web server without TLS, and one with it. */
  readonly web: string;
  readonly secureWeb: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly otherCa: string;
  readonly otherCert: string;
  readonly otherKey: string;
}

type Case = readonly [what: string, flags: (place: Place) => readonly string[], problem: RegExp];

const client = ({ cert, key }: Place): readonly string[] => [
  `--etcd-certfile=${cert}`,
  `--etcd-keyfile=${key}`,
];
const plainOf = (url: string): string => url.replace('https:', 'http:');

const cases: readonly Case[] = [
  [
    'the client certificate is missing',
    ({ secure, ca }) => [`--etcd-servers=${secure}`, `--etcd-cafile=${ca}`],
    /etcd requires a client certificate: set --etcd-certfile and --etcd-keyfile/,
  ],
  [
    'etcd does not trust the client certificate',
    ({ secure, ca, otherCert, otherKey }) => [
      `--etcd-servers=${secure}`,
      `--etcd-cafile=${ca}`,
      `--etcd-certfile=${otherCert}`,
      `--etcd-keyfile=${otherKey}`,
    ],
    /etcd does not accept the client certificate .*: set --etcd-certfile/,
  ],
  [
    'the authority of etcd is not given',
    (place) => [`--etcd-servers=${place.secure}`, ...client(place)],
    /the certificate of etcd was issued by an unknown authority: set --etcd-cafile/,
  ],
  [
    'the authority is another one',
    (place) => [`--etcd-servers=${place.secure}`, `--etcd-cafile=${place.otherCa}`, ...client(place)],
    /was not issued by the authority in .*: set --etcd-cafile/,
  ],
  [
    'the key is that of another certificate',
    ({ secure, ca, cert, otherKey }) => [
      `--etcd-servers=${secure}`,
      `--etcd-cafile=${ca}`,
      `--etcd-certfile=${cert}`,
      `--etcd-keyfile=${otherKey}`,
    ],
    /--etcd-keyfile is not the key of --etcd-certfile/,
  ],
  [
    'etcd serves TLS only',
    ({ secure }) => [`--etcd-servers=${plainOf(secure)}`],
    /if it serves TLS, use https:\/\/ in --etcd-servers/,
  ],
  [
    'etcd serves no TLS',
    ({ plain, ca }) => [`--etcd-servers=${plain.replace('http:', 'https:')}`, `--etcd-cafile=${ca}`],
    /does not speak TLS[:,] use http:\/\/ in --etcd-servers/,
  ],
  [
    'the server is a web server',
    ({ web }) => [`--etcd-servers=${web}`],
    /is not an etcd: correct --etcd-servers/,
  ],
  [
    'the server is a web server with TLS',
    ({ secureWeb, otherCa }) => [`--etcd-servers=${secureWeb}`, `--etcd-cafile=${otherCa}`],
    /is not an etcd: correct --etcd-servers/,
  ],
  [
    'there is no server',
    () => ['--etcd-servers=http://127.0.0.1:1'],
    /nothing accepts connections there: start etcd, or correct --etcd-servers/,
  ],
];

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

describe('a start with etcd that cannot be used', { timeout: 300_000, concurrency: 5 }, () => {
  const folder = temporaryFolder();
  const issued = other.issue('client');
  const web = createServer((_, response) => response.end('hello'));
  const secureWeb = createTlsServer(other.issue('web'), (_, response) => response.end('hello'));
  let secure: EtcdCluster;
  let plain: EtcdCluster;
  let place: Place;
  before(async () => {
    [secure, plain] = await Promise.all([startEtcd({ tls: true }), startEtcd()]);
    const put = (name: string, text = ''): string => {
      writeFileSync(join(folder.path, name), text);
      return join(folder.path, name);
    };
    place = {
      secure: secure.endpoints[0] ?? '',
      plain: plain.endpoints[0] ?? '',
      web: `http://${await listening(web)}`,
      secureWeb: `https://${await listening(secureWeb)}`,
      ca: put('ca', secure.tls?.ca),
      cert: put('cert', secure.tls?.cert),
      key: put('key', secure.tls?.key),
      otherCa: put('other-ca', other.ca),
      otherCert: put('other-cert', issued.cert),
      otherKey: put('other-key', issued.key),
    };
  });
  after(async () => {
    web.close();
    secureWeb.close();
    await Promise.all([secure[Symbol.asyncDispose](), plain[Symbol.asyncDispose]()]);
    folder[Symbol.dispose]();
  });

  for (const [what, flags, problem] of cases)
    it(`a server names the flag and the remedy in one line, and ends with status 1, when ${what}`, async () => {
      using own = temporaryFolder();
      const { code, stderr } = await run(program, [
        '--bind-address=127.0.0.1',
        '--secure-port=0',
        `--cert-dir=${own.path}/certs`,
        ...flags(place),
      ]);
      assert.equal(code, 1, stderr);
      const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      assert.equal(lines.length, 1, stderr);
      assert.match(lines[0] ?? '', problem);
      // Nor does the log.
      assert.doesNotMatch(stderr, /SSL routines|openssl|error:[0-9A-F]{8}|Node\.js/i);
    });
});
