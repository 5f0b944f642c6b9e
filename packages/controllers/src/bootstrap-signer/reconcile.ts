import { type ApiObject, asObject, asText, type JsonObject, jsonEquals, type Names } from '@orch/machinery';
import { signDetached } from '@orch/pki/jws';
import { expirationOf, readBootstrapToken } from './bootstrap-token.ts';

const signedKey = 'kubeconfig';
/** Followed by the id of a token. */
const signaturePrefix = 'jws-kubeconfig-';

/** The keys that a config map of this text should have for these tokens. */
function signaturesOf(
  text: string,
  secrets: Iterable<ApiObject>,
  at: { now: number; names: Names },
): JsonObject {
  const signatures: Record<string, string> = {};
  for (const secret of secrets) {
    const token = readBootstrapToken(secret, at.names);
    if (token === undefined || !token.isForSigning || expirationOf(secret) <= at.now) continue;
    signatures[`${signaturePrefix}${token.id}`] = signDetached(text, { id: token.id, secret: token.token });
  }
  return signatures;
}

/**
 * The config map with a signature for each token that is good for it, and with no other signature (spec 5.4); undefined
 * when it is so already. A map without a client configuration has nothing to sign.
 */
export function signedConfigMap(
  map: ApiObject,
  secrets: Iterable<ApiObject>,
  at: { readonly now: number; readonly names: Names },
): ApiObject | undefined {
  const data = asObject(map['data']);
  const text = asText(data[signedKey]);
  const others = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix));
  const signatures = text === '' ? {} : signaturesOf(text, secrets, at);
  const wanted = { ...Object.fromEntries(others), ...signatures };
  return jsonEquals(wanted, data) ? undefined : { ...map, metadata: map.metadata, data: wanted };
}

/** When the next of the tokens ends, in epoch milliseconds; undefined when none will. */
export function nextExpiration(secrets: Iterable<ApiObject>, now: number): number | undefined {
  const times = [...secrets].map(expirationOf).filter((time) => time > now && Number.isFinite(time));
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}
