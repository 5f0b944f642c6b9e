import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { encodePem, pemBlocks, privateKeyPem } from '@orch/pki/x509';
import { StartError } from '@orch/program';
import type { PlanContext } from './context.ts';
import { fileNames } from './parts.ts';
import { idOf, readPrivateKey } from './pem-files.ts';
import type { RotationTurn } from './rotation-steps.ts';

const { tokenKey, tokenPublicKeys, nextTokenKey } = fileNames;

/**
 * Creates the key pair of service account tokens, and makes the transition of a rotation. Returns what identifies the key that
 * signed before this run.
 */
export function planTokenKeys(context: PlanContext, { rotation, transition }: RotationTurn): string {
  const { draft } = context;
  const key = currentKey(context);
  const own = publicKeyOf(tokenKey, key);
  const known = publicKeysIn(draft.read(tokenPublicKeys) ?? '');
  const write = (keys: readonly string[], reason: string): void =>
    draft.put(tokenPublicKeys, [...new Set(keys)].join(''), { reason });
  draft.keep(tokenKey);
  switch (transition) {
    case 'prepare': {
      const next = newKey();
      draft.put(nextTokenKey, next);
      write([own, ...known, publicKeyOf(nextTokenKey, next)], 'contains the new key as well');
      break;
    }
    case 'switch': {
      const next = requireNext(context);
      draft.put(tokenKey, next, { reason: 'the new key signs tokens' });
      write([publicKeyOf(nextTokenKey, next), own, ...known], 'the new key signs tokens');
      draft.remove(nextTokenKey, `moved to ${tokenKey}`);
      break;
    }
    case 'finish':
      write(
        [own, ...known.filter((one) => idOf(one) !== rotation?.replaces)],
        'the old key no longer verifies tokens',
      );
      break;
    case 'none': {
      const next = rotation?.step === 'prepared' ? [publicKeyOf(nextTokenKey, requireNext(context))] : [];
      draft.keep(nextTokenKey);
      write([own, ...known, ...next], 'keys were missing');
    }
  }
  return idOf(own);
}

function currentKey({ draft }: PlanContext): string {
  const key = draft.read(tokenKey);
  if (key !== undefined) return key;
  if (draft.read(tokenPublicKeys) !== undefined)
    throw new StartError(
      `${tokenKey} is missing, and ${tokenPublicKeys} is not: restore it from a backup, or remove ${tokenPublicKeys} to have a new key made; tokens of the old one become invalid then`,
    );
  const made = newKey();
  draft.put(tokenKey, made);
  return made;
}

function requireNext({ draft }: PlanContext): string {
  const next = draft.read(nextTokenKey);
  if (next === undefined)
    throw new StartError(`${nextTokenKey} of the rotation is missing: restore it from a backup`);
  return next;
}

const newKey = (): string => privateKeyPem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

const publicKeyOf = (file: string, key: string): string =>
  createPublicKey(readPrivateKey(file, key)).export({ type: 'spki', format: 'pem' }).toString();

const publicKeysIn = (text: string): readonly string[] =>
  [...pemBlocks(text)]
    .filter(({ label }) => label === 'PUBLIC KEY')
    .map(({ label, bytes }) => encodePem(label, bytes));
