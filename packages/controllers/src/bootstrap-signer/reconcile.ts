import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { signDetached } from '@orch/pki/jws';
import { expirationOf, readBootstrapToken } from './bootstrap-token.ts';

type ConfigMap = kinds.core.ConfigMap;
type Secrets = Iterable<kinds.core.Secret>;

const signedKey = 'kubeconfig';
/** Followed by the id of a token. */
const signaturePrefix = 'jws-kubeconfig-';

interface SigningContext {
  readonly now: number;
  readonly names: Names;
}

/** The signatures of a string by all valid tokens, by their keys in the config map. */
async function signaturesOf(
  text: string,
  secrets: Secrets,
  { now, names }: SigningContext,
): Promise<Record<string, string>> {
  const signatures: Record<string, string> = {};
  for (const secret of secrets) {
    const token = readBootstrapToken(secret, names);
    if (token === undefined || !token.isForSigning || expirationOf(secret) <= now) continue;
    signatures[`${signaturePrefix}${token.id}`] = await signDetached(text, {
      id: token.id,
      secret: token.token,
    });
  }
  return signatures;
}

/**
 * The config map with one signature per valid token and no other signatures (spec 5.4); undefined when nothing changes.
 * A map without a client configuration gets no signatures.
 */
export async function signedConfigMap(
  map: ConfigMap,
  secrets: Secrets,
  context: SigningContext,
): Promise<ConfigMap | undefined> {
  const { data = {} } = map;
  const text = data[signedKey] ?? '';
  const others = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix));
  const signatures = text === '' ? {} : await signaturesOf(text, secrets, context);
  const wanted = { ...Object.fromEntries(others), ...signatures };
  return jsonEquals(wanted, data) ? undefined : { ...map, data: wanted };
}

/** Expiration of the next token, in epoch milliseconds; undefined when none expires in the future. */
export function nextExpiration(secrets: Secrets, now: number): number | undefined {
  const times = [...secrets].map(expirationOf).filter((time) => time > now && Number.isFinite(time));
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}
