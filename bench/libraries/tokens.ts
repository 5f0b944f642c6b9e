import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { isSignedWith, type SigningKey, signingKey } from '@orch/pki/jws';
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

/** Verification of one signature, which the server caches for ten seconds, and the cost of loading each library. */
export async function tokens(): Promise<readonly Comparison[]> {
  const jwt = library('jsonwebtoken');
  const rows: Comparison[] = [];
  for (const [algorithm, pair] of [
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ] as const) {
    const key: SigningKey = signingKey(pair.privateKey);
    const token: string = jwt.sign(claims, pair.privateKey, { algorithm });
    const ours = await asyncMicros(() => isSignedWith(token, key), 300);
    const theirs = cpuMicros(() => jwt.verify(token, pair.publicKey, { algorithms: [algorithm] }), 300);
    const floor = cpuMicros(() => verifyPlain(token, pair.publicKey), 300);
    const what = `verify one ${algorithm} signature (ours: jose)`;
    rows.push({ what, ours, library: 'jsonwebtoken', theirs, unit: 'µs' });
    rows.push({ what, ours, library: 'node:crypto alone', theirs: floor, unit: 'µs' });
  }
  const [ours, theirs] = ['jose', 'jsonwebtoken'].map((name) => importMillis(name)) as [number, number];
  rows.push({
    what: 'load the library (ours: jose)',
    ours,
    library: 'jsonwebtoken',
    theirs,
    unit: 'ms',
    note: 'not bundled',
  });
  return rows;
}

/** The signature alone, without a library. */
function verifyPlain(token: string, key: KeyObject): void {
  const [head = '', body = '', tail = ''] = token.split('.');
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${body}`), options, Buffer.from(tail, 'base64url')))
    throw new Error('the signature is not valid');
}
