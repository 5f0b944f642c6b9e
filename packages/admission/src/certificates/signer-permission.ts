import type { Authorizer } from '@orch/auth';
import type { ApiObject, Names } from '@orch/machinery';
import type { AdmissionAttributes, ResourceTarget } from '../types.ts';

export interface SignerParts {
  readonly authorizer: Authorizer;
  readonly names: Names;
}

/** Reports whether a write goes to a certificate signing request, through this path. */
export const isSigningRequest = (
  { group, resource, subresource }: ResourceTarget,
  through: string,
): boolean =>
  group === 'certificates' && resource === 'certificatesigningrequests' && subresource === through;

const fieldOf = (object: ApiObject | undefined, field: 'spec' | 'status'): Record<string, unknown> => {
  const value = object?.[field];
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

export const specIn = (object: ApiObject | undefined): Record<string, unknown> => fieldOf(object, 'spec');

export const statusIn = (object: ApiObject | undefined): Record<string, unknown> => fieldOf(object, 'status');

/** The signer of a request as it is stored: an update cannot change it. Releases without signers have a default. */
export function signerNameOf({ oldObject, object }: AdmissionAttributes): string {
  const { signerName } = specIn(oldObject ?? object);
  return typeof signerName === 'string' ? signerName : '';
}

/**
 * Reports whether the user of a write has the verb on the resource `signers` (access-control document, 5.15), by the full name
 * of the signer or for its whole domain as `domain/*`.
 */
export async function hasSignerVerb(
  { authorizer, names }: SignerParts,
  { user, signal }: Pick<AdmissionAttributes, 'user' | 'signal'>,
  request: { readonly verb: 'approve' | 'sign'; readonly signerName: string },
): Promise<boolean> {
  const { verb, signerName } = request;
  const [domain = ''] = signerName.split('/', 1);
  for (const name of [signerName, `${domain}/*`]) {
    const { verdict } = await authorizer.authorize(
      {
        user,
        isResource: true,
        verb,
        group: names.group('certificates'),
        version: '*',
        resource: 'signers',
        subresource: '',
        namespace: '',
        name,
      },
      { signal },
    );
    if (verdict === 'allow') return true;
  }
  return false;
}
