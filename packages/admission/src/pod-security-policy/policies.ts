import { atLeast, type Release } from '@orch/apis';
import type { ObjectSource, SourceObject } from '@orch/auth';
import type { PodSecurityPolicyV1beta1 } from '@orch/kinds/policy';
import type { Names } from '@orch/machinery';
import { Policy } from './policy.ts';
import type { RuleParts } from './rule.ts';

const RESOURCE = 'podsecuritypolicies.policy';

/** The first release in which pods have fields for seccomp profiles. */
const SECCOMP_FIELDS_SINCE: Release = '1.19';

/** Kernel parameters that every pod may set, with the release from which they are safe. */
const SAFE_SYSCTLS: readonly (readonly [name: string, since: Release])[] = [
  ['kernel.shm_rmid_forced', '1.15'],
  ['net.ipv4.ip_local_port_range', '1.15'],
  ['net.ipv4.tcp_syncookies', '1.15'],
  ['net.ipv4.ping_group_range', '1.18'],
  ['net.ipv4.ip_unprivileged_port_start', '1.22'],
];

export interface PoliciesParts {
  readonly source: ObjectSource;
  readonly names: Names;
  readonly release: Release;
}

/** The pod security policies of the cluster, kept up to date. */
export class Policies {
  readonly #objects = new Map<string, SourceObject>();
  readonly #context: Omit<RuleParts, 'spec' | 'annotations'>;
  /** Sorted by name; undefined until they are created again after a change. */
  #policies: readonly Policy[] | undefined;

  constructor({ source, names, release }: PoliciesParts) {
    const safe = SAFE_SYSCTLS.filter(([, since]) => atLeast(release, since)).map(([name]) => name);
    this.#context = {
      names,
      hasSeccompFields: atLeast(release, SECCOMP_FIELDS_SINCE),
      safeSysctls: new Set(safe),
    };
    source.subscribe(RESOURCE, {
      reset: (objects) => {
        this.#objects.clear();
        for (const object of objects) this.#objects.set(object.key, object);
        this.#policies = undefined;
      },
      changed: (key, object) => {
        if (object === undefined) this.#objects.delete(key);
        else this.#objects.set(key, object);
        this.#policies = undefined;
      },
    });
  }

  /** Sorted by name; the policy with the preferred name, if it exists, comes first. */
  list(preferred = ''): readonly Policy[] {
    this.#policies ??= [...this.#objects.values()]
      .map((object) => new Policy(object.read() as PodSecurityPolicyV1beta1, this.#context))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const first = this.#policies.filter(({ name }) => name === preferred);
    return first.length === 0
      ? this.#policies
      : [...first, ...this.#policies.filter(({ name }) => name !== preferred)];
  }
}
