import type { Authorizer, UserInfo } from '@orch/auth';
import type { Names } from '@orch/machinery';
import { accountUser } from '../shared/account-user.ts';
import type { AdmissionAttributes } from '../types.ts';

export interface PolicyUseParts {
  readonly authorizer: Authorizer;
  readonly names: Names;
}

/** Groups in which roles may name policies: the older one is that of the first releases. */
const GROUPS = ['policy', 'extensions'] as const;

/**
 * Whether the service account of a pod, or else the user who writes it, has the verb `use` on a policy: in the whole cluster or in
 * the namespace of the pod (access-control document, 5.12).
 */
export class PolicyUse {
  readonly #parts: PolicyUseParts;
  readonly #write: AdmissionAttributes;
  readonly #users: readonly UserInfo[];

  constructor(parts: PolicyUseParts, write: AdmissionAttributes, account: string) {
    this.#parts = parts;
    this.#write = write;
    const { namespace, user } = write;
    this.#users = account === '' ? [user] : [accountUser({ namespace, name: account }, parts.names), user];
  }

  async isAllowed(policy: string): Promise<boolean> {
    for (const user of this.#users)
      for (const group of GROUPS) if (await this.#mayUse(user, group, policy)) return true;
    return false;
  }

  async #mayUse(user: UserInfo, group: (typeof GROUPS)[number], name: string): Promise<boolean> {
    const { authorizer, names } = this.#parts;
    const { namespace, signal } = this.#write;
    const { verdict } = await authorizer.authorize(
      {
        user,
        isResource: true,
        verb: 'use',
        group: names.group(group),
        version: '*',
        resource: 'podsecuritypolicies',
        subresource: '',
        namespace,
        name,
      },
      { signal },
    );
    return verdict === 'allow';
  }
}
