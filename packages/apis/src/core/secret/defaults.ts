import { setMember } from '@orch/machinery';
import type { Derive } from '@orch/schema';
import { asObject, asText } from '../../read.ts';

/** Text values go into `data`, over what is there under the same key; they are for writing only. */
export const deriveSecretData: Derive = (secret) => {
  if (secret['stringData'] === undefined) return false;
  const data: Record<string, unknown> = { ...asObject(secret['data']) };
  for (const [key, text] of Object.entries(asObject(secret['stringData']))) {
    setMember(data, key, Buffer.from(asText(text), 'utf8').toString('base64'));
  }
  delete secret['stringData'];
  secret['data'] = data;
  return true;
};
