/** CPU to encrypt and to decrypt one value with each provider: `scripts/node packages/encryption/bench/ciphers.ts`. */
import { systemRandom } from '@orch/machinery/env';
import { ciphersOf } from '../src/ciphers/ciphers-of.ts';

const ROUNDS = 20_000;
const SIZES = [1024, 16 * 1024];
const place = '/registry/secrets/default/one';

function microseconds(work: () => unknown): string {
  for (let round = 0; round < ROUNDS / 10; round++) work();
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / ROUNDS).toFixed(1);
}

for (const type of ['aesgcm', 'aescbc', 'secretbox'] as const) {
  const secret = systemRandom.bytes(32);
  const [cipher] = ciphersOf({ type, keys: [{ name: 'key1', secret }] }, 'orch:enc:', systemRandom);
  if (cipher === undefined) throw new TypeError(`no cipher for ${type}`);
  for (const size of SIZES) {
    const value = systemRandom.bytes(size);
    const stored = cipher.encrypt(value, place);
    if (stored instanceof Promise) throw new TypeError(`${type} is not synchronous`);
    const sealed = stored.subarray(cipher.prefix.length);
    const encrypted = microseconds(() => cipher.encrypt(value, place));
    const decrypted = microseconds(() => cipher.decrypt(sealed, place));
    console.log(`${type} ${size} bytes: encrypt ${encrypted} µs, decrypt ${decrypted} µs`);
  }
}
