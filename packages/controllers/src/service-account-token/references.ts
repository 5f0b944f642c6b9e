import { type ApiObject, asObjects, asText } from '@orch/machinery';

/** Names of the secrets that an account refers to. */
export const referencedSecrets = (account: ApiObject): readonly string[] =>
  asObjects(account['secrets']).map((reference) => asText(reference['name']));

/** The account without its references to a secret; undefined when it has none. */
export function withoutReference(account: ApiObject, secretName: string): ApiObject | undefined {
  const references = asObjects(account['secrets']);
  const kept = references.filter((reference) => asText(reference['name']) !== secretName);
  return kept.length === references.length ? undefined : { ...account, secrets: kept };
}

/** The account with a reference to a secret more. */
export const withReference = (account: ApiObject, secretName: string): ApiObject => ({
  ...account,
  secrets: [...asObjects(account['secrets']), { name: secretName }],
});

const suffixLength = 5;
/** No vowels, and nothing that looks like another letter. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const MAX_NAME = 253;

/** What the names of secrets that are made for an account begin with. */
export const generatedPrefix = (accountName: string): string =>
  `${accountName.slice(0, MAX_NAME - '-token-'.length - suffixLength)}-token-`;

/** A name for a secret that is made for an account. */
export const generatedName = (accountName: string, random: { int(below: number): number }): string =>
  generatedPrefix(accountName) +
  Array.from({ length: suffixLength }, () => letters[random.int(letters.length)]).join('');

/** Whether a secret may have been made for an account by this control plane. */
export const isGeneratedName = (secretName: string, accountName: string): boolean => {
  const prefix = generatedPrefix(accountName);
  return secretName.startsWith(prefix) && secretName.length === prefix.length + suffixLength;
};
