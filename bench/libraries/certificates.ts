import { generateKeyPairSync } from 'node:crypto';
import { type Comparison, importMillis, library } from './measure.ts';

export function certificates(): readonly Comparison[] {
  const forge = library('node-forge');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  let readsEcdsa = 'reads ECDSA keys';
  try {
    forge.pki.publicKeyFromPem(pem);
  } catch (error) {
    readsEcdsa = `an ECDSA key: ${error instanceof Error ? error.message : String(error)}`;
  }
  return [
    {
      what: 'load the library',
      ours: 0,
      library: 'node-forge',
      theirs: importMillis('node-forge'),
      unit: 'ms',
      note: readsEcdsa,
    },
  ];
}
