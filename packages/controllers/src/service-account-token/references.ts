import type { kinds } from '@orch/client';

type ServiceAccount = kinds.core.ServiceAccount;

/** Names of the secrets that an account refers to. */
export const referencedSecrets = ({ secrets = [] }: ServiceAccount): readonly string[] =>
  secrets.map(({ name = '' }) => name);

/** The account without its references to these secrets; the same object when it has none. */
export function withoutReferences(account: ServiceAccount, secretNames: Iterable<string>): ServiceAccount {
  const removed = new Set(secretNames);
  const { secrets = [] } = account;
  const kept = secrets.filter(({ name = '' }) => !removed.has(name));
  return kept.length === secrets.length ? account : { ...account, secrets: kept };
}

/** The account with an additional reference to a secret. */
export const withReference = (account: ServiceAccount, secretName: string): ServiceAccount => ({
  ...account,
  secrets: [...(account.secrets ?? []), { name: secretName }],
});

const SUFFIX_LENGTH = 5;
/** Without vowels and characters that are easily confused. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const MAX_NAME = 253;

/** The prefix of generated secret names of an account. */
const generatedPrefix = (accountName: string): string =>
  `${accountName.slice(0, MAX_NAME - '-token-'.length - SUFFIX_LENGTH)}-token-`;

/** A generated secret name for an account. */
export const generatedName = (accountName: string, random: { int(below: number): number }): string =>
  generatedPrefix(accountName) +
  Array.from({ length: SUFFIX_LENGTH }, () => letters[random.int(letters.length)]).join('');

/** Reports whether a secret name has the format of the generated names of an account. */
export const isGeneratedName = (secretName: string, accountName: string): boolean => {
  const prefix = generatedPrefix(accountName);
  return secretName.startsWith(prefix) && secretName.length === prefix.length + SUFFIX_LENGTH;
};
