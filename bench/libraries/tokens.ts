import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { verifyBytes } from '@orch/pki/jws';
import { jwtVerify } from 'jose';
import { type Comparison, cpuMicros, importMillis, library } from './measure.ts';

const claims = { iss: 'https://issuer', sub: 'system:serviceaccount:apps:robot', aud: ['api'], exp: 4e9 };

/** CPU per call in µs of an asynchronous function. */
async function asyncMicros(run: () => Promise<unknown>, calls: number): Promise<number> {
  for (let i = 0; i < calls; i += 1) await run();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round += 1) {
    const start = process.cpuUsage();
    for (let i = 0; i < calls; i += 1) await run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / calls);
  }
  return best;
}

/** The verification of one signature, and the cost of the libraries in a process that has just started. */
export async function tokens(): Promise<readonly Comparison[]> {
  const jwt = library('jsonwebtoken');
  const rows: Comparison[] = [];
  for (const [algorithm, pair] of [
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ] as const) {
    const token: string = jwt.sign(claims, pair.privateKey, { algorithm });
    const ours = cpuMicros(() => check(token, algorithm, pair.publicKey), 300);
    const sync = cpuMicros(() => jwt.verify(token, pair.publicKey, { algorithms: [algorithm] }), 300);
    const async = await asyncMicros(() => jwtVerify(token, pair.publicKey, { algorithms: [algorithm] }), 300);
    const what = `check one ${algorithm} signature`;
    rows.push({ what, ours, library: 'jsonwebtoken', theirs: sync, unit: 'µs' });
    rows.push({ what, ours, library: 'jose', theirs: async, unit: 'µs' });
  }
  for (const name of ['jsonwebtoken', 'jose']) {
    const theirs = importMillis(name);
    rows.push({ what: 'load the library', ours: 0, library: name, theirs, unit: 'ms', note: 'not bundled' });
  }
  return rows;
}

/** Claims are parsed and the signature is verified; the digest is the key of a result cache. */
function check(token: string, algorithm: string, key: KeyObject): string {
  const [head = '', body = '', tail = ''] = token.split('.');
  JSON.parse(Buffer.from(head, 'base64url').toString());
  JSON.parse(Buffer.from(body, 'base64url').toString());
  if (!verifyBytes(algorithm, key, Buffer.from(`${head}.${body}`), Buffer.from(tail, 'base64url'))) {
    throw new Error('the signature is invalid');
  }
  return createHash('sha256').update(token).digest('hex');
}
