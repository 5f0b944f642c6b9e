import type { kinds } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { type DescribeContext, describer, listAll } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';

type Secret = kinds.core.Secret;
type ServiceAccount = kinds.core.ServiceAccount;

export const serviceAccount = describer<ServiceAccount>({
  group: 'core',
  kind: 'ServiceAccount',
  versions: ['v1'],
  async describe(out, object, context) {
    const { metadata } = object;
    const secrets = await secretsOf(context);
    const existing = new Set(secrets?.map((one) => one.metadata.name));
    const namesOf = (references: readonly { readonly name?: string }[] = []): readonly string[] =>
      references.map(({ name = '' }) => name);
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ['Image pull secrets:', namesOf(object.imagePullSecrets)],
      ['Mountable secrets: ', namesOf(object.secrets)],
      ['Tokens:            ', tokensOf(object, secrets ?? [], context)],
    ];
    describeMetadata(out, { metadata, names: context.names });
    for (const [title, names] of rows) {
      if (names.length === 0) out.line(0, title, '<none>');
      names.forEach((name, i) => {
        const isMissing = secrets !== undefined && !existing.has(name);
        out.line(0, i === 0 ? title : ' '.repeat(title.length), isMissing ? `${name} (not found)` : name);
      });
    }
  },
});

/** The secrets of the namespace; undefined when the user may not list them. */
async function secretsOf(context: DescribeContext): Promise<readonly Secret[] | undefined> {
  try {
    return await listAll(context.typed.core.v1.secrets, context);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The names of the secrets with tokens of the account. */
function tokensOf(
  { metadata }: ServiceAccount,
  secrets: readonly Secret[],
  { names }: DescribeContext,
): readonly string[] {
  const { serviceAccountName, serviceAccountUid } = names.annotations;
  return secrets.flatMap(({ metadata: { name = '', annotations = {} }, type }) => {
    const isOwn =
      type === names.secretTypes.serviceAccountToken &&
      annotations[serviceAccountName] === metadata.name &&
      annotations[serviceAccountUid] === metadata.uid;
    return isOwn ? [name] : [];
  });
}
