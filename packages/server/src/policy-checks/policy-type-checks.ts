import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyStatus,
} from '@orch/kinds/admissionregistration';
import { jsonEquals } from '@orch/machinery/json';
import { type InternalResource, ObjectLoop, type ServedApi, type ServerContext } from '@orch/registry';
import { TypeCheck } from './type-check.ts';

/** Maximum number of policies that are checked concurrently. */
const WORKERS = 4;

export interface PolicyTypeChecksOptions {
  readonly context: ServerContext;
  readonly served: Pick<ServedApi, 'table' | 'includes'>;
  /** Resolves when this replica serves every definition that was established before the call. */
  readonly catchUp: (signal: AbortSignal) => Promise<void> | undefined;
}

/** The checked part of a policy. */
interface Checked {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  /** Groups whose resources affect the result. */
  readonly groups: ReadonlySet<string>;
}

/**
 * Checks the types of the expressions of validating admission policies on every replica, and writes the warnings to
 * their status. A policy is checked at the start, when its generation changes, and when a resource of a group that it
 * names is added, removed or replaced. An unchanged result is not written again, and a status that another replica has
 * written does not cause a check: replicas with different results do not overwrite each other endlessly.
 */
export class PolicyTypeChecks {
  readonly #options: PolicyTypeChecksOptions;
  readonly #check: TypeCheck;
  readonly #policies: InternalResource<ValidatingAdmissionPolicy> | undefined;
  readonly #loop: ObjectLoop;
  readonly #checked = new Map<string, Checked>();

  constructor(options: PolicyTypeChecksOptions) {
    const { context, served } = options;
    this.#options = options;
    this.#check = new TypeCheck({ table: served.table, includes: served.includes, names: context.names });
    // Undefined where policies are not served.
    this.#policies = context.objects.resource('admissionregistration', 'validatingadmissionpolicies');
    this.#loop = new ObjectLoop({
      env: context.env,
      name: 'policy_type_checks',
      resource: this.#policies,
      known: () => this.#checked.keys(),
      workers: WORKERS,
      failed: 'the types of an admission policy could not be checked',
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
    const changed = ({ group }: { readonly group: string }): void => this.#recheck(group);
    served.table.observe({ added: changed, removed: changed });
  }

  /** Checks until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(signal);
  }

  #recheck(group: string): void {
    for (const [name, { groups }] of this.#checked) {
      if (!groups.has(group)) continue;
      this.#checked.delete(name);
      this.#loop.add(name);
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    const policy = this.#policies?.cached({ namespace: '', name });
    if (policy === undefined) {
      this.#checked.delete(name);
      return;
    }
    const { spec = {} } = policy;
    const { uid, generation } = policy.metadata;
    const known = this.#checked.get(name);
    if (known !== undefined && known.uid === uid && known.generation === generation) return;
    await this.#options.catchUp(signal);
    // Taken before the check: a resource that changes during the check causes another one.
    this.#checked.set(name, { uid, generation, groups: this.#check.groupsOf(spec) });
    try {
      await this.#write(policy, await this.#check.warnings(spec), signal);
    } catch (error) {
      this.#checked.delete(name);
      throw error;
    }
  }

  async #write(
    policy: ValidatingAdmissionPolicy,
    warnings: readonly ExpressionWarning[],
    signal: AbortSignal,
  ): Promise<void> {
    const { name = '', uid, generation } = policy.metadata;
    const observed: Observed = {
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      typeChecking: warnings.length === 0 ? {} : { expressionWarnings: warnings },
    };
    const own = { namespace: '', name };
    const cached = this.#policies?.cached(own);
    if (cached === undefined || isObserved(cached, observed)) return;
    await this.#policies?.change(
      own,
      (current) => {
        // Another policy of that name, or another generation, has another result.
        if (current.metadata.uid !== uid || current.metadata.generation !== generation) return;
        if (!isObserved(current, observed)) current.status = { ...current.status, ...observed };
      },
      signal,
    );
  }
}

/** The result of a check in the status of a policy. */
type Observed = Pick<ValidatingAdmissionPolicyStatus, 'observedGeneration' | 'typeChecking'>;

const isObserved = ({ status }: ValidatingAdmissionPolicy, observed: Observed): boolean =>
  jsonEquals(status?.observedGeneration, observed.observedGeneration) &&
  jsonEquals(status?.typeChecking, observed.typeChecking);
